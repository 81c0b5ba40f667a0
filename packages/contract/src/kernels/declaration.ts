import { declare } from '../declaration.ts';

export const kernelsDeclaration = declare({
  permissions: ['kernel.list', 'kernel.choose', 'kernel.stats', 'server.list', 'server.stop'],
});
