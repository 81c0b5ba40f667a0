import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';

export const settingsQuery = api.account.settings.queryOptions({ input: {} });
export const sessionsQuery = api.session.list.queryOptions({ input: {} });
export const passkeysQuery = api.signIn.passkeyList.queryOptions({ input: {} });
export const apiKeysQuery = api.account.apiKeys.queryOptions({ input: {} });
export const secretsQuery = (search: string) =>
  api.secrets.list.queryOptions({ input: { search: search || undefined }, placeholderData: keepPreviousData });
export const aboutPageQuery = (id: string) => api.account.aboutPage.queryOptions({ input: { id } });
