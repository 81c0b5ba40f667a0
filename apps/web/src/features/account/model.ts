import { type ApiKeyScope, apiKeyScopes } from '@atoll/contract/account/scopes';

/** Which settings are shown; whether there are such is known to the page. */
export const parseSection = ({ section }: Record<string, unknown>): { section?: string } => ({
  section: typeof section === 'string' && section ? section : undefined,
});

const scopeWordsOf: Record<ApiKeyScope, string> = {
  read: 'Read only',
  write: 'Read and write',
  trade_live: 'Read, write and trade with real money',
};

/** Each includes those before it. */
export const scopeChoices = apiKeyScopes.map((value) => ({ value, label: scopeWordsOf[value] }));

export const scopeWords = (scopes: readonly ApiKeyScope[]): string =>
  scopeWordsOf[apiKeyScopes.findLast((scope) => scopes.includes(scope)) ?? 'read'];
