import type { AdminUser, userStates } from '@atoll/contract';
import { assetUrl } from '../uploads/view.ts';
import type { UserRow } from '../users/table.ts';

/** Titles by name. */
export type Plans = ReadonlyMap<string, string>;

const stateOf = (user: UserRow): (typeof userStates)[number] =>
  user.deletedAt ? 'deleted' : user.suspendedAt ? 'suspended' : user.isGuest ? 'guest' : 'active';

export const adminUserView = (user: UserRow, roles: { id: string; name: string }[], plans: Plans): AdminUser => ({
  id: user.id,
  user_name: user.userName,
  first_name: user.firstName,
  last_name: user.lastName,
  email: user.email,
  is_email_confirmed: user.emailConfirmedAt !== null,
  avatar: assetUrl(user.avatarAssetId),
  avatar_icon: user.avatarIcon,
  role: user.role,
  roles: roles.map(({ id, name }) => ({ id, name })),
  plan: { name: user.plan, title: plans.get(user.plan) ?? user.plan },
  balance: user.balance,
  state: stateOf(user),
  created_at: user.createdAt.toISOString(),
  active_at: user.activeAt.toISOString(),
});

/** What of an account an entry of the log keeps. */
export const recorded = (user: UserRow) => ({
  email: user.email,
  user_name: user.userName,
  first_name: user.firstName,
  last_name: user.lastName,
  headline: user.headline,
  company_name: user.companyName,
  company_position: user.companyPosition,
  is_discoverable: user.isDiscoverable,
  is_email_confirmed: user.emailConfirmedAt !== null,
  features: user.features,
});
