import { z } from 'zod';
import { declare } from '../declaration.ts';

export const themeDeclaration = declare({
  permissions: ['theme.view', 'theme.edit'],
  events: {
    'theme.updated': z.object({}),
  },
});
