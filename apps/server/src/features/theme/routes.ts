import { endpoints } from '../../platform/http/implement.ts';
import { currentTheme, resetTheme, updateTheme } from './service.ts';

const { theme } = endpoints;

export const themeRoutes = {
  get: theme.get.handler(({ context }) => currentTheme(context)),
  update: theme.update.handler(({ context, input }) => updateTheme(context, input)),
  reset: theme.reset.handler(({ context }) => resetTheme(context)),
};
