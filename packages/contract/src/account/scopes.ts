/** What a key of the API may do; apart from its schema, because the pages that list scopes validate nothing. */
export const apiKeyScopes = ['read', 'write', 'trade_live'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];
