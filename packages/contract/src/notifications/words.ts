import type { PersonSummary } from '../projects/entity.ts';
import { personName } from '../users/names.ts';
import { notificationDeclarations } from './declared.ts';
import type { Notification } from './entity.ts';

const nameOf = (person: PersonSummary | null) => (person ? personName(person) : 'Someone');

/**
 * What a notification says, in one sentence without its end; `several` names those who did it together. On a team's own
 * page its name is not said again in each.
 */
export function notificationWords(news: Notification, several?: string, isOnTeamPage = false): string {
  const { project, subject_team, subject_user, metadata } = news;
  const team = subject_team?.name ?? (metadata.excerpt || null);
  return notificationDeclarations[news.type].words({
    who: several ?? nameOf(news.source_user),
    does: (one, many) => (several ? many : one),
    whom: nameOf(subject_user),
    project: project ? `“${project.name}”` : 'a project',
    team: isOnTeamPage ? 'the team' : team ? `“${team}”` : 'a team',
    entity: news.entity ? `“${news.entity.name}”` : 'something',
    news,
  });
}

/** Where it leads. */
export function notificationPath(news: Notification): string {
  const own = notificationDeclarations[news.type].path?.(news);
  if (own) return own;
  if (news.project) return `/projects/${news.project.id}`;
  if (news.subject_team) return `/teams/${news.subject_team.id}`;
  return '/notifications';
}

/** Words without the marks of Markdown, for a line that is no page. */
export const withoutMarks = (markdown: string): string =>
  markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`+|^#{1,6}\s|^>\s?|^\s*[-*]\s)/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
