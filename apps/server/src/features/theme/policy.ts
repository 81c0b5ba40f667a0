import { administrator, allow, anyone, type Policy } from '../../platform/policy/policy.ts';

export const themePolicy: Policy = {
  'theme.view': allow(anyone),
  'theme.edit': allow(administrator),
};
