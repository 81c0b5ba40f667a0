import type { OauthProvider } from '@atoll/contract/sign-in/endpoints';
import { localPath } from '../session/return-to.ts';

const providers: readonly OauthProvider[] = ['github', 'google', 'microsoft', 'oidc'];

export const isProvider = (value: string): value is OauthProvider => providers.some((known) => known === value);

type Search = Record<string, unknown>;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);

export const parseReturn = (search: Search): { return_to?: string } => ({ return_to: localPath(search.return_to) });

export interface CallbackSearch {
  code?: string;
  state?: string;
  iss?: string;
  error?: string;
  error_description?: string;
}

export const parseCallback = (search: Search): CallbackSearch => ({
  code: text(search.code),
  state: text(search.state),
  iss: text(search.iss),
  error: text(search.error),
  error_description: text(search.error_description),
});
