import type { OauthProvider } from '@atoll/contract/sign-in/endpoints';
import { client } from '../../platform/client.ts';

/** Leaves for the provider; it sends the person back to /auth/{provider}. */
export async function goToProvider(provider: OauthProvider, reason: string, returnTo?: string): Promise<void> {
  const { authorization_url } = await client.signIn.oauthState({ reason, provider, return_to: returnTo });
  if (!authorization_url) throw new Error('This sign-in provider is not configured.');
  location.assign(authorization_url);
}
