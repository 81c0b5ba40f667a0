import { done, endpoints } from '../../platform/http/implement.ts';
import { disconnect, listConnections } from '../sign-in/service/connections.ts';
import { updateCredentials } from '../sign-in/service/password.ts';
import { requireSelf, updateAboutPage, updatePreferences, updateSettings, viewUser } from '../users/service.ts';
import { preferencesOf } from '../users/table.ts';
import { aboutPageView, settingsView } from '../users/view.ts';

const { account } = endpoints;

export const accountRoutes = {
  settings: account.settings.handler(async ({ context }) =>
    settingsView(await requireSelf(context), await listConnections(context)),
  ),

  updateSettings: account.updateSettings.handler(async ({ context, input }) =>
    settingsView(await updateSettings(context, input), await listConnections(context)),
  ),

  updateCredentials: account.updateCredentials.handler(async ({ context, input }) =>
    settingsView(await updateCredentials(context, input), await listConnections(context)),
  ),

  disconnect: account.disconnect.handler(({ context, input }) => done(disconnect(context, input.provider))),

  preferences: account.preferences.handler(async ({ context }) => preferencesOf(await requireSelf(context))),

  updatePreferences: account.updatePreferences.handler(({ context, input }) => updatePreferences(context, input)),

  updateAboutPage: account.updateAboutPage.handler(async ({ context, input }) =>
    aboutPageView(await updateAboutPage(context, input), true),
  ),

  aboutPage: account.aboutPage.handler(async ({ context, input }) => {
    const user = await viewUser(context, input.id);
    return aboutPageView(user, user.id === context.actor.userId);
  }),
};
