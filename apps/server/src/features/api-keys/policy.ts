import { allow, allowOnRow, inPerson, owns, type Policy, recentlyAuthenticated } from '../../platform/policy/policy.ts';
import type { ApiKeyRow } from './table.ts';

export const apiKeysPolicy: Policy = {
  'api_key.list': allow(inPerson),
  'api_key.create': allow(recentlyAuthenticated),
  'api_key.revoke': allowOnRow<ApiKeyRow>(inPerson, owns),
};
