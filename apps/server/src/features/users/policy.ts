import {
  allow,
  allowOnRow,
  anyone,
  identified,
  type Policy,
  recentlyAuthenticated,
  registered,
} from '../../platform/policy/policy.ts';
import type { UserRow } from './table.ts';

export const usersPolicy: Policy = {
  'account.view': allow(registered),
  'account.edit': allow(registered),
  'account.secure': allow(recentlyAuthenticated),
  'account.confirm': allow(registered),
  'preferences.view': allow(identified),
  'preferences.edit': allow(identified),
  'user.list': allow(registered),
  'user.follow': allow(registered),
  'user.invite': allow(registered),
  // A profile is seen by all, except a guest's, a suspended person's and one who chose not to be found.
  'user.view': allowOnRow<UserRow>(
    anyone,
    (actor, user) =>
      user.id === actor.userId || actor.isAdmin || (!user.isGuest && user.suspendedAt === null && user.isDiscoverable),
  ),
};
