import { allow, allowOnRow, owns, type Policy, registered } from '../../platform/policy/policy.ts';
import type { SecretRow } from './table.ts';

export const secretsPolicy: Policy = {
  'secret.list': allow(registered),
  'secret.create': allow(registered),
  'secret.edit': allowOnRow<SecretRow>(
    registered,
    (actor, secret) => actor.impersonatorId === null && owns(actor, secret),
  ),
};
