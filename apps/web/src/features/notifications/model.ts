import { type NotificationGroup, notificationGroupNames } from '@atoll/contract/notifications/declared';
import type { Notification } from '@atoll/contract/notifications/entity';
import { personName } from '@atoll/contract/users/names';

export const parseGroup = (group: string | undefined): NotificationGroup | undefined =>
  notificationGroupNames.find((each) => each === group);

/** Several of the same about the same thing, one after another, are told in one line. */
export interface NewsLine {
  newest: Notification;
  all: Notification[];
}

const sameTold = (one: Notification, other: Notification) =>
  one.type === other.type &&
  one.project?.id === other.project?.id &&
  one.entity?.path === other.entity?.path &&
  one.subject_team?.id === other.subject_team?.id &&
  one.subject_user?.id === other.subject_user?.id &&
  one.created_at.slice(0, 10) === other.created_at.slice(0, 10) &&
  Boolean(one.seen_at) === Boolean(other.seen_at);

export function linesOf(news: Notification[]): NewsLine[] {
  const lines: NewsLine[] = [];
  for (const each of news) {
    const last = lines.at(-1);
    if (last && sameTold(last.newest, each)) last.all.push(each);
    else lines.push({ newest: each, all: [each] });
  }
  return lines;
}

/** Who did it, when they are several: two are named, the others counted. */
export function severalOf({ all }: NewsLine): string | undefined {
  const people = [
    ...new Map(all.flatMap(({ source_user }) => (source_user ? [[source_user.id, source_user]] : []))).values(),
  ];
  const [first, second, ...others] = people.map(personName);
  if (!first || !second) return undefined;
  return others.length === 0 ? `${first} and ${second}` : `${first}, ${second} and ${others.length} more`;
}

/** Days as people say them. */
export function dayOf(time: string, now: Date): string {
  const date = new Date(time);
  const days = Math.round((startOfDay(now) - startOfDay(date)) / 86_400_000);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return date.toLocaleDateString('en', { weekday: 'long', day: 'numeric', month: 'long' });
}

const startOfDay = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
