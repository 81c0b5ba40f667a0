import type { ProjectAbility, ProjectPermission, SharingPreset } from '@atoll/contract/projects/access';
import { presetOf, sharingPresets, withImplied } from '@atoll/contract/projects/access';

export const presetWords: Record<SharingPreset, { label: string; text: string }> = {
  viewer: { label: 'Viewer', text: 'Can view files, versions and publications' },
  commenter: { label: 'Commenter', text: 'Can also comment' },
  runner: { label: 'Runner', text: 'Can also run code and export data' },
  editor: { label: 'Editor', text: 'Can also edit, clone and download' },
};

export const presetNames = Object.keys(presetWords) as SharingPreset[];

export const permissionWords: Record<ProjectPermission, string> = {
  view: 'View project',
  view_source: 'View source',
  view_publications: 'View publications',
  comment: 'Comment',
  edit: 'Edit',
  execute: 'Run',
  execute_publications: 'Run publications',
  clone: 'Clone',
  export: 'Export',
  export_data: 'Export data',
  share: 'Share',
  publish: 'Publish',
  view_analytics: 'View analytics',
  view_history: 'View version history',
  embed: 'Embed',
};

export interface Granted {
  permissions: ProjectPermission[];
  /** Teams are no authors. */
  isAuthor?: boolean | undefined;
}

/** A role is one of the presets, or what was chosen one by one. */
export type Role = SharingPreset | 'custom';

export const roleOf = (granted: readonly ProjectPermission[]): Role => presetOf(granted) ?? 'custom';

/** Nobody can give what they may not do themselves. */
export const givable = (wanted: readonly ProjectPermission[], mine: readonly ProjectAbility[]): boolean =>
  withImplied(wanted).every((permission) => mine.includes(permission));

export const offeredPresets = (mine: readonly ProjectAbility[]): SharingPreset[] =>
  presetNames.filter((name) => givable(sharingPresets[name], mine));

/** What stays chosen when one is taken away: not what cannot be without it. */
export const without = (chosen: readonly ProjectPermission[], taken: ProjectPermission): ProjectPermission[] =>
  chosen.filter((permission) => !withImplied([permission]).includes(taken));

export const projectAddress = (id: string): string => new URL(`/projects/${id}`, location.origin).href;

/** The secret is behind the #: it reaches no server's log and no other site. */
export const linkAddress = (id: string, secret: string): string => `${projectAddress(id)}#link=${secret}`;

/** What happened to a project, after the name of whoever did it. */
export const actWords: Record<string, string> = {
  'project.created': 'created the project',
  'project.updated': 'changed the settings',
  'project.deleted': 'moved the project to bin',
  'project.restored': 'restored the project',
  'project.cloned': 'cloned the project',
  'project.offered': 'offered the project',
  'project.offer_ended': 'ended the offer of the project',
  'project.transferred': 'changed the owner',
  'project.shared': 'shared the project',
  'project.grant_changed': 'changed a person’s role',
  'project.unshared': 'removed a person',
  'project.shared_with_team': 'shared the project with a team',
  'project.team_grant_changed': 'changed a team’s role',
  'project.unshared_with_team': 'removed a team',
  'project.link_changed': 'changed the share link',
  'project.invited': 'sent an invitation',
  'project.invite_removed': 'canceled an invitation',
  'project.invite_accepted': 'accepted an invitation',
  'access.requested': 'requested access',
  'access.answered': 'answered an access request',
  'comment.created': 'commented',
  'comment.settled': 'resolved or reopened a comment',
  'comment.deleted': 'deleted a comment',
  'comment.reported': 'reported a comment',
};
