import { api } from '../../platform/client.ts';

export const settingsQuery = api.account.settings.queryOptions({ input: {} });
export const sessionsQuery = api.session.list.queryOptions({ input: {} });
export const passkeysQuery = api.signIn.passkeyList.queryOptions({ input: {} });
export const apiKeysQuery = api.account.apiKeys.queryOptions({ input: {} });
export const aboutPageQuery = (id: string) => api.account.aboutPage.queryOptions({ input: { id } });
