import type { TeamRole } from '../teams/access.ts';

/**
 * Who may do what with a project (spec section 6): pure, and used by both sides. The server decides with it; the browser
 * gets the result as `permissions` and offers the presets.
 */
export const projectPermissions = [
  'view',
  'view_source',
  'view_publications',
  'comment',
  'edit',
  'execute',
  'execute_publications',
  'clone',
  'export',
  'export_data',
  'share',
  'publish',
  'view_analytics',
  'view_history',
  'embed',
] as const;
export type ProjectPermission = (typeof projectPermissions)[number];

/** What only the owner may: it cannot be granted. */
export const ownerPermissions = ['delete', 'transfer'] as const;
export type ProjectAbility = ProjectPermission | (typeof ownerPermissions)[number];
export const projectAbilities = [...projectPermissions, ...ownerPermissions] as const;

export const visibilities = ['private', 'public', 'open'] as const;
export type Visibility = (typeof visibilities)[number];

/**
 * What everybody may, without any grant: a public project is seen, and read unless its owner hides the source; an open one can
 * be copied too.
 */
export const visibilityGrants: Record<Visibility, readonly ProjectPermission[]> = {
  private: [],
  public: ['view', 'view_publications', 'comment'],
  open: ['view', 'view_source', 'view_publications', 'comment', 'view_history', 'clone', 'export', 'export_data'],
};

/** What the secret part of a project's link gives, to anyone who has it. */
export const linkGrants: readonly ProjectPermission[] = ['view', 'view_source', 'view_publications'];

/** Who can open a project (spec section 4), the widest first. */
export const projectAccesses = ['public', 'link_shared', 'collaborators', 'private'] as const;

/** Permissions that come with another one, because editing requires seeing. */
const implied: Partial<Record<ProjectPermission, readonly ProjectPermission[]>> = {
  view_source: ['view'],
  view_publications: ['view'],
  comment: ['view'],
  edit: ['view', 'view_source', 'comment', 'view_history'],
  execute: ['view'],
  execute_publications: ['view', 'view_publications'],
  clone: ['view', 'view_source'],
  export: ['view', 'view_source'],
  export_data: ['view'],
  share: ['view'],
  publish: ['view', 'view_source'],
  view_analytics: ['view'],
  view_history: ['view', 'view_source'],
  embed: ['view'],
};

export function withImplied(granted: readonly ProjectPermission[]): ProjectPermission[] {
  const all = new Set(granted.flatMap((permission) => [permission, ...(implied[permission] ?? [])]));
  return projectPermissions.filter((permission) => all.has(permission));
}

/** What sharing usually means; anything else is chosen one by one. */
export const sharingPresets = {
  viewer: ['view', 'view_source', 'view_publications', 'view_history'],
  commenter: ['view', 'view_source', 'view_publications', 'comment', 'view_history'],
  runner: [
    'view',
    'view_source',
    'view_publications',
    'comment',
    'view_history',
    'execute',
    'execute_publications',
    'export_data',
  ],
  editor: [
    'view',
    'view_source',
    'view_publications',
    'comment',
    'edit',
    'execute',
    'execute_publications',
    'clone',
    'export',
    'export_data',
    'view_history',
  ],
} satisfies Record<string, readonly ProjectPermission[]>;
export type SharingPreset = keyof typeof sharingPresets;

/** The preset that is exactly this; none when it was chosen one by one. */
export function presetOf(granted: readonly ProjectPermission[]): SharingPreset | null {
  const all = withImplied(granted);
  const isSame = (preset: readonly ProjectPermission[]) =>
    preset.length === all.length && preset.every((permission) => all.includes(permission));
  return (Object.keys(sharingPresets) as SharingPreset[]).find((name) => isSame(sharingPresets[name])) ?? null;
}

/** What one member has of what a team was given: its guests only look. */
export const grantedThrough = (role: TeamRole, granted: readonly ProjectPermission[]): ProjectPermission[] =>
  role === 'guest'
    ? granted.filter((permission) => (sharingPresets.viewer as ProjectPermission[]).includes(permission))
    : [...granted];

export interface AccessInputs {
  visibility: Visibility;
  /** Whether a public project is shown without its files. */
  hidesSource: boolean;
  isOwner: boolean;
  isAdmin: boolean;
  isDeleted: boolean;
  /** Grants to the caller, by name and through teams. */
  grants: readonly ProjectPermission[];
}

/** Everything one caller may do with one project. */
export function abilitiesOn(inputs: AccessInputs): ProjectAbility[] {
  if (inputs.isOwner || inputs.isAdmin) return [...projectAbilities];
  // Only the owner finds a project in the bin.
  if (inputs.isDeleted) return [];
  const showsSource = inputs.visibility === 'public' && !inputs.hidesSource;
  const shown = [...visibilityGrants[inputs.visibility], ...(showsSource ? (['view_source'] as const) : [])];
  return withImplied([...shown, ...inputs.grants]);
}
