import type { ProjectAbility, ProjectPermission, SharingPreset } from '@atoll/contract/projects/access';
import { presetOf, sharingPresets, withImplied } from '@atoll/contract/projects/access';

export const presetWords: Record<SharingPreset, { label: string; text: string }> = {
  viewer: { label: 'Viewer', text: 'Sees its files, versions and what it publishes' },
  commenter: { label: 'Commenter', text: 'Also comments' },
  runner: { label: 'Runner', text: 'Also runs it and downloads its data' },
  editor: { label: 'Editor', text: 'Also changes, copies and downloads it' },
};

export const presetNames = Object.keys(presetWords) as SharingPreset[];

export const permissionWords: Record<ProjectPermission, string> = {
  view: 'See the project',
  view_source: 'Read its files',
  view_publications: 'See what it publishes',
  comment: 'Comment on it',
  edit: 'Change it',
  execute: 'Run it',
  execute_publications: 'Run what it publishes',
  clone: 'Make a copy',
  export: 'Download it',
  export_data: 'Download its data',
  share: 'Share it with others',
  publish: 'Publish from it',
  view_analytics: 'See its analytics',
  view_history: 'See its versions',
  embed: 'Embed it elsewhere',
};

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
  'project.created': 'made it',
  'project.updated': 'changed its settings',
  'project.deleted': 'put it into the bin',
  'project.restored': 'took it out of the bin',
  'project.cloned': 'copied it',
  'project.transferred': 'gave it away',
  'project.shared': 'shared it',
  'project.grant_changed': 'changed what somebody may do',
  'project.unshared': 'stopped sharing it',
  'project.shared_with_team': 'shared it with a team',
  'project.team_grant_changed': 'changed what a team may do',
  'project.unshared_with_team': 'stopped sharing it with a team',
  'project.link_changed': 'changed the link',
  'project.invited': 'invited somebody by mail',
  'project.invite_removed': 'took an invitation back',
  'project.invite_accepted': 'took up an invitation',
  'access.requested': 'asked for access',
  'access.answered': 'answered a request for access',
  'comment.created': 'commented',
  'comment.settled': 'settled or reopened what was said',
  'comment.deleted': 'deleted a comment',
  'comment.reported': 'reported a comment',
};
