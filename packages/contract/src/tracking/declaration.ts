import { declare } from '../declaration.ts';

export const trackingDeclaration = declare({
  permissions: ['tracking.write'],
});
