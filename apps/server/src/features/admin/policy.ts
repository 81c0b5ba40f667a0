import { administrator, allow, type Policy } from '../../platform/policy/policy.ts';

export const adminPolicy: Policy = {
  'admin.view': allow(administrator),
  'admin.edit': allow(administrator),
  'admin.mask': allow(administrator),
  'admin.unmask': allow((actor) => (actor.impersonatorId === null ? 'no_permissions' : true)),
};
