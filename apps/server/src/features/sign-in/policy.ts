import {
  allow,
  allowOnRow,
  anyone,
  owns,
  type Policy,
  recentlyAuthenticated,
  registered,
} from '../../platform/policy/policy.ts';
import type { PasskeyRow } from './table.ts';

export const signInPolicy: Policy = {
  'passkey.list': allow(registered),
  'passkey.create': allow(recentlyAuthenticated),
  'passkey.delete': allowOnRow<PasskeyRow>(recentlyAuthenticated, owns),
  // Slack proves itself with a signature over the raw body.
  'slack.notify': allow(anyone),
};
