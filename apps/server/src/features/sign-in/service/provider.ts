import type { Context } from '../../../platform/context.ts';
import type { OutsideAccount } from './outside-accounts.ts';

/** What is sent along to the provider, and needed again when it answers. */
export interface OauthRequest {
  redirectUri: string;
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface OauthAnswer {
  code: string;
  iss?: string;
}

export interface Provider {
  authorizationUrl(ctx: Context, request: OauthRequest): Promise<string>;
  /** Who signed in there; throws unless the provider vouches for it. */
  account(ctx: Context, request: OauthRequest, answer: OauthAnswer): Promise<OutsideAccount>;
}
