import { allow, allowOnRow, anyone, identified, owns, type Policy, registered } from '../../platform/policy/policy.ts';
import type { SessionRow } from './table.ts';

export const sessionsPolicy: Policy = {
  'session.view': allow(anyone),
  'session.open': allow(anyone),
  'session.close': allow(identified),
  'session.list': allow(registered),
  'session.end': allowOnRow<SessionRow>(registered, owns),
  'session.connect': allow(identified),
};
