import { declare } from '../declaration.ts';

export const systemDeclaration = declare({
  permissions: ['system.view'],
});
