import { administrator, allow, allowOnRow, identified, type Policy } from '../../platform/policy/policy.ts';
import type { KernelSessionRow } from './table.ts';

export const kernelsPolicy: Policy = {
  'kernel.list': allow(identified),
  'kernel.choose': allow(identified),
  'kernel.stats': allow(administrator),
  'server.list': allow(identified),
  'server.stop': allowOnRow<KernelSessionRow>(
    identified,
    (actor, session) => session.userId === actor.userId || actor.isAdmin,
  ),
};
