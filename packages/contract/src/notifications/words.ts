import type { PersonSummary } from '../projects/entity.ts';
import type { Notification, NotificationType } from './entity.ts';

const nameOf = (person: PersonSummary | null) =>
  person ? `${person.first_name} ${person.last_name}`.trim() || person.user_name : 'Someone';

type Words = (names: {
  who: string /** Chooses the verb: one does, several do. */;
  does(one: string, several: string): string;
  whom: string;
  project: string;
  team: string;
  news: Notification;
}) => string;

const words: Record<NotificationType, Words> = {
  project_shared: ({ who, project }) => `${who} shared ${project} with you`,
  project_unshared: ({ who, does, project }) => `${who} no longer ${does('shares', 'share')} ${project} with you`,
  project_transferred: ({ who, project }) => `${who} transferred ${project} to you`,
  project_invite_accepted: ({ who, project }) => `${who} accepted your invitation to ${project}`,
  access_requested: ({ who, does, project }) => `${who} ${does('requests', 'request')} access to ${project}`,
  access_approved: ({ who, project }) => `${who} gave you access to ${project}`,
  access_rejected: ({ who, project }) => `${who} declined your access request for ${project}`,
  comment_created: ({ who, project }) => `${who} commented on ${project}`,
  comment_replied: ({ who, project }) => `${who} replied in ${project}`,
  comment_mentioned: ({ who, project }) => `${who} mentioned you in ${project}`,
  comment_liked: ({ who, does, project }) => `${who} ${does('likes', 'like')} your comment on ${project}`,
  comment_reported: ({ who, project }) => `${who} reported a comment on ${project}`,
  team_invited: ({ who, does, team }) => `${who} ${does('invites', 'invite')} you to ${team}`,
  team_join_requested: ({ who, does, team }) => `${who} ${does('requests', 'request')} to join ${team}`,
  team_join_approved: ({ who, team }) => `${who} approved your request to join ${team}`,
  team_join_rejected: ({ who, team }) => `${who} declined your request to join ${team}`,
  team_joined: ({ whom, team }) => `${whom} joined ${team}`,
  team_invite_accepted: ({ who, team }) => `${who} accepted your invitation to ${team}`,
  team_left: ({ whom, team }) => `${whom} left ${team}`,
  team_role_changed: ({ who, whom, team, news }) =>
    `${who} made ${news.subject_user ? whom : 'you'} ${roleWords[news.metadata.role ?? ''] ?? 'a member'} of ${team}`,
  team_removed: ({ who, team, news }) =>
    news.metadata.reason === 'deleted' ? `${who} deleted ${team}` : `${who} removed you from ${team}`,
  team_owner_changed: ({ who, whom, team, news }) =>
    `${who} transferred ${team} to ${news.subject_user ? whom : 'you'}`,
  team_project_shared: ({ who, project, team }) => `${who} shared ${project} with ${team}`,
  team_project_unshared: ({ who, does, project, team }) =>
    `${who} no longer ${does('shares', 'share')} ${project} with ${team}`,
  team_changed: ({ who, team }) => `${who} updated ${team}`,
  user_followed: ({ who, does }) => `${who} ${does('follows', 'follow')} you`,
  followed_published: ({ who, project }) => `${who} published ${project}`,
  tag_published: ({ who, project, news }) => `${who} published ${project}, tagged ${news.metadata.tag ?? ''}`,
};

const roleWords: Record<string, string> = {
  owner: 'the owner',
  admin: 'an administrator',
  member: 'a member',
  guest: 'a guest',
};

/**
 * What a notification says, in one sentence without its end; `several` names those who did it together. On a team's own
 * page its name is not said again in each.
 */
export function notificationWords(news: Notification, several?: string, isOnTeamPage = false): string {
  const { project, subject_team, subject_user, metadata } = news;
  const team = subject_team?.name ?? (metadata.excerpt || null);
  return words[news.type]({
    who: several ?? nameOf(news.source_user),
    does: (one, many) => (several ? many : one),
    whom: nameOf(subject_user),
    project: project ? `“${project.name}”` : 'a project',
    team: isOnTeamPage ? 'the team' : team ? `“${team}”` : 'a team',
    news,
  });
}

/** Where it leads. */
export function notificationPath(news: Notification): string {
  const { type, project, subject_team, source_user, metadata } = news;
  if (type === 'user_followed' && source_user) return `/users/${source_user.user_name}`;
  if (type === 'team_join_requested' && subject_team) return `/teams/${subject_team.id}/requests`;
  if (project && type.startsWith('comment_')) {
    const file = metadata.file_id ? `&file=${metadata.file_id}` : '';
    const cell = metadata.cell_id ? `#cell=${metadata.cell_id}` : '';
    return `/projects/${project.id}?panel=comments${file}${cell}`;
  }
  if (project && type === 'access_requested') return `/projects/${project.id}?panel=share`;
  if (project) return `/projects/${project.id}`;
  if (subject_team) return `/teams/${subject_team.id}`;
  return '/notifications';
}

/** Words without the marks of Markdown, for a line that is no page. */
export const withoutMarks = (markdown: string): string =>
  markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`+|^#{1,6}\s|^>\s?|^\s*[-*]\s)/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
