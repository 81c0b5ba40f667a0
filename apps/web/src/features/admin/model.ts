import type { ActionLog, AdminUser, AdminUserDetail } from '@atoll/contract/admin/entity';

type Given = Record<string, unknown>;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);
const oneOf = <Value extends string>(value: unknown, values: readonly Value[]): Value | undefined =>
  values.find((each) => each === value);
const pageOf = (value: unknown): number | undefined => {
  const page = Number(value);
  return Number.isInteger(page) && page > 1 && page <= 1_000 ? page : undefined;
};

/** An address without any of it is one too. */
const optional = <Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Fields[Name] | undefined } =>
  fields;

export const userStates = ['active', 'suspended', 'guest', 'deleted'] as const;
export const userSorts = ['created_at', 'active_at', 'user_name', 'balance'] as const;
export const jobStates = ['queued', 'running', 'failed', 'succeeded', 'canceled'] as const;
export const usageGroups = ['person', 'day', 'tier'] as const;

export const parseUsersSearch = (given: Given) =>
  optional({
    search: text(given.search),
    state: oneOf(given.state, userStates),
    role: oneOf(given.role, ['user', 'admin'] as const),
    role_id: text(given.role_id),
    plan: text(given.plan),
    sort: oneOf(given.sort, userSorts),
    direction: oneOf(given.direction, ['asc', 'desc'] as const),
    page: pageOf(given.page),
  });
export type UsersSearch = ReturnType<typeof parseUsersSearch>;

export const parseJobsSearch = (given: Given) =>
  optional({
    state: oneOf(given.state, jobStates),
    kind: text(given.kind),
  });
export type JobsSearch = ReturnType<typeof parseJobsSearch>;

export const parseLogSearch = (given: Given) =>
  optional({
    search: text(given.search),
    actor_id: text(given.actor_id),
    subject_id: text(given.subject_id),
  });
export type LogSearch = ReturnType<typeof parseLogSearch>;

export const parseUsageSearch = (given: Given) => optional({ group: oneOf(given.group, usageGroups) });
export type UsageSearch = ReturnType<typeof parseUsageSearch>;

export const funnelDays = [7, 30, 90] as const;
export const parseTrackingSearch = (given: Given) =>
  optional({
    name: text(given.name),
    user_id: text(given.user_id),
    steps: text(given.steps),
    days: funnelDays.find((days) => days === Number(given.days)),
  });
export type TrackingSearch = ReturnType<typeof parseTrackingSearch>;

export const parseSubscriptionsSearch = (given: Given) =>
  optional({
    search: text(given.search),
    plan: text(given.plan),
    page: pageOf(given.page),
  });
export type SubscriptionsSearch = ReturnType<typeof parseSubscriptionsSearch>;

export const stateWords: Record<AdminUser['state'], string> = {
  active: 'Active',
  suspended: 'Suspended',
  guest: 'Guest',
  deleted: 'Deleted',
};

type Explained = AdminUserDetail['effective_features'][number];

/** What decided a feature for a person. */
export function sourceWords({ source, source_name }: Explained): string {
  switch (source) {
    case 'unbuilt':
      return 'Not part of this version';
    case 'reports_only':
      return 'Reports only';
    case 'configuration':
      return 'Server configuration';
    case 'person':
      return 'Set for this person';
    case 'role':
      return `Role ${source_name}`;
    case 'plan':
      return `Plan ${source_name}`;
    case 'installation':
      return 'Set for everyone';
    default:
      return 'Default';
  }
}

type ExplainedLimit = AdminUserDetail['effective_limits'][number];
export const limitWords: Record<ExplainedLimit['name'], string> = {
  projects: 'Projects',
  execution_hours: 'Execution hours a month',
  longest_run_hours: 'Hours of one run',
  tier: 'Kernel size',
};
export const limitNames = Object.keys(limitWords) as ExplainedLimit['name'][];
export const limitValueWords = (value: ExplainedLimit['value'] | undefined): string =>
  value === null || value === undefined
    ? 'Unlimited'
    : typeof value === 'number'
      ? value.toLocaleString('en')
      : value.toUpperCase();
export const limitSourceWords = ({ source, source_name }: ExplainedLimit): string =>
  source === 'admin' ? 'Admin' : source === 'guest' ? 'Guest' : `${source === 'role' ? 'Role' : 'Plan'} ${source_name}`;

/** A number or “unlimited”, as it is typed; nothing is no limit of the role's own. */
export function typedLimit(text: string): number | null | undefined {
  const typed = text.trim().toLowerCase();
  return typed === '' ? undefined : typed === 'unlimited' ? null : Number(typed);
}
export const limitProblem = (text: string): string | null => {
  const limit = typedLimit(text);
  return limit == null || (Number.isInteger(limit) && limit >= 0) ? null : 'Enter a whole number or “unlimited”';
};

/** A name like `publish_globally` in words. */
export const featureWords = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  const short = ['ai', 'bi', 'gpu'].includes(words) ? words.toUpperCase() : words;
  return short.charAt(0).toUpperCase() + short.slice(1);
};

/** `user.plan_changed` as a sentence of the log. */
export const actionWords = (action: string): string => {
  const words = action.replace('.', ' ').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** What changed, line by line. */
export function changeLines({ before, after }: Pick<ActionLog, 'before' | 'after'>): string[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const shown = (value: unknown) =>
    value === null || value === undefined || value === ''
      ? 'none'
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
  return names.map((name) => {
    const label = name.replaceAll('_', ' ');
    if (before && after && name in before && name in after)
      return `${label}: ${shown(before[name])} → ${shown(after[name])}`;
    return `${label}: ${shown(after && name in after ? after[name] : before?.[name])}`;
  });
}

export function durationWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (ms < 60_000) return `${Math.round(ms / 1_000)} s`;
  return minutes < 60 ? `${minutes} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}

/** The events of a funnel as an address has them: names have no commas. */
export const funnelSteps = (steps: string | undefined): string[] => steps?.split(',').filter(Boolean).slice(0, 5) ?? [];

const dayMs = 24 * 60 * 60_000;
/** The last 30 days in UTC; days without anything are days too. */
export function lastDays(found: { day: string; value: number }[], now = Date.now()): { day: string; value: number }[] {
  const values = new Map(found.map(({ day, value }) => [day, value]));
  return Array.from({ length: 30 }, (_, index) => {
    const day = new Date(now - (29 - index) * dayMs).toISOString().slice(0, 10);
    return { day, value: values.get(day) ?? 0 };
  });
}

/** What became of the people between one step and the next. */
export const dropWords = (people: number, before: number | undefined): string =>
  before === undefined
    ? ''
    : before === 0
      ? 'No one reached the step before'
      : `${Math.round((people / before) * 100)}% went on, ${(before - people).toLocaleString('en')} left`;
