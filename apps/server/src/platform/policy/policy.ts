import type { DenialReason, Permission } from '@atoll/contract';
import type { Actor } from '../actor.ts';

/** Policies are pure tables: permission → rule over the caller and, where it matters, the loaded row. */

type Verdict = true | DenialReason;
export type ActorRule = (actor: Actor) => Verdict;

export interface Rule {
  /** Checked by the binder before anything is loaded. */
  actor: ActorRule;
  /** Checked by the service with `ctx.authorize`; an endpoint whose rule has one cannot finish without it. */
  // biome-ignore lint/suspicious/noExplicitAny: each feature's rule takes its own row type.
  row?: (actor: Actor, row: any) => boolean;
}

export type Policy = Partial<Record<Permission, Rule>>;

export const anyone: ActorRule = () => true;
/** Guests and users: anyone who can own things. */
export const identified: ActorRule = (actor) => (actor.userId === null ? 'no_permissions' : true);
/** For permissions that an admin who acts as another person must not use: secrets, keys, money. */
export const inPerson: ActorRule = (actor) =>
  registered(actor) === true && actor.impersonatorId === null ? true : 'no_permissions';
export const registered: ActorRule = (actor) => (actor.kind === 'user' ? true : 'no_permissions');
/** For an admin in person: not while acting as another person, even as another admin. */
export const administrator: ActorRule = (actor) =>
  inPerson(actor) === true && actor.isAdmin ? true : 'no_permissions';
/** For acts that could lock a person out: never while impersonating, and only after a recent sign-in. */
export const recentlyAuthenticated: ActorRule = (actor) => {
  if (inPerson(actor) !== true) return 'no_permissions';
  return actor.isRecentlyAuthenticated ? true : 'reauthentication_required';
};

export const allow = (actor: ActorRule): Rule => ({ actor });

export const allowOnRow = <Row>(actor: ActorRule, row: (actor: Actor, row: Row) => boolean): Rule => ({ actor, row });

export const owns = (actor: Actor, row: { userId: string }): boolean => row.userId === actor.userId;

/** Joins the features' tables; with two rules for one permission, the effective one would depend on order. */
export function joinPolicies(policies: Policy[]): Policy {
  const joined: Policy = {};
  for (const policy of policies) {
    for (const [permission, rule] of Object.entries(policy) as [Permission, Rule][]) {
      if (joined[permission]) throw new Error(`Permission ${permission} has two rules`);
      joined[permission] = rule;
    }
  }
  return joined;
}
