import { allow, allowOnRow, inPerson, owns, type Policy } from '../../platform/policy/policy.ts';
import type { SecretRow } from './table.ts';

export const secretsPolicy: Policy = {
  'secret.list': allow(inPerson),
  'secret.create': allow(inPerson),
  'secret.edit': allowOnRow<SecretRow>(inPerson, owns),
};
