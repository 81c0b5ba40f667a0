/** Who may do what with a team (spec section 6): pure, and used by both sides. */
export const teamRoles = ['owner', 'admin', 'member', 'guest'] as const;
export type TeamRole = (typeof teamRoles)[number];

/** As in the specification. */
export const membershipStatuses = [...teamRoles, 'pending', 'not_member'] as const;
export type MembershipStatus = (typeof membershipStatuses)[number];

/** Private: by invitation; public: found by all and joined with an admin's approval; open: joined at once. */
export const teamDiscoveries = ['private', 'public', 'open'] as const;
export type TeamDiscovery = (typeof teamDiscoveries)[number];

export const teamAbilities = ['view', 'share_to', 'edit', 'delete', 'transfer'] as const;
export type TeamAbility = (typeof teamAbilities)[number];

/** The presets of the spec, and what only the owner may. */
const roleAbilities: Record<TeamRole, readonly TeamAbility[]> = {
  guest: ['view'],
  member: ['view', 'share_to'],
  admin: ['view', 'share_to', 'edit'],
  owner: teamAbilities,
};

/** The role whose preset this is. */
export const roleOfPermissions = (permissions: readonly TeamAbility[]): GivenTeamRole | null =>
  givenTeamRoles.find((role) => {
    const preset = roleAbilities[role];
    return preset.length === new Set(permissions).size && preset.every((ability) => permissions.includes(ability));
  }) ?? null;

export const permissionsOfRole = (role: TeamRole): TeamAbility[] => [...roleAbilities[role]];

export interface TeamAccessInputs {
  role: TeamRole | null;
  discovery: TeamDiscovery;
  /** Whether an invitation of theirs is waiting. */
  isInvited: boolean;
  isAdmin: boolean;
}

export function teamAbilitiesOn({ role, discovery, isInvited, isAdmin }: TeamAccessInputs): TeamAbility[] {
  if (isAdmin) return [...teamAbilities];
  if (role) return [...roleAbilities[role]];
  return discovery !== 'private' || isInvited ? ['view'] : [];
}

/** Roles that can be given by hand; a team has one owner, who hands it over. */
export const givenTeamRoles = ['admin', 'member', 'guest'] as const;
type GivenTeamRole = (typeof givenTeamRoles)[number];
