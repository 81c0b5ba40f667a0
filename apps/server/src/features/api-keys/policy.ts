import {
  allow,
  allowOnRow,
  owns,
  type Policy,
  recentlyAuthenticated,
  registered,
} from '../../platform/policy/policy.ts';
import type { ApiKeyRow } from './table.ts';

export const apiKeysPolicy: Policy = {
  'api_key.list': allow(registered),
  'api_key.create': allow(recentlyAuthenticated),
  'api_key.revoke': allowOnRow<ApiKeyRow>(registered, owns),
};
