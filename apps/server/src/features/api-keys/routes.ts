import { done, endpoints, onePage } from '../../platform/http/implement.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './service.ts';
import { apiKeyView } from './view.ts';

const { account } = endpoints;

export const apiKeyRoutes = {
  apiKeys: account.apiKeys.handler(async ({ context }) => {
    const rows = await listApiKeys(context);
    return onePage(rows.map((row) => apiKeyView(context, row)));
  }),

  createApiKey: account.createApiKey.handler(async ({ context, input }) => {
    const { key, row } = await createApiKey(context, input);
    return { ...apiKeyView(context, row), key };
  }),

  revokeApiKey: account.revokeApiKey.handler(({ context, input }) => done(revokeApiKey(context, input.id))),
};
