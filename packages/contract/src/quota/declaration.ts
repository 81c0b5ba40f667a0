import { declare } from '../declaration.ts';

export const quotaDeclaration = declare({
  permissions: ['quota.view'],
});
