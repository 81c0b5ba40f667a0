import type { Session } from '@atoll/contract/session/entity';
import { client } from '../../platform/client.ts';

/** The passkey library is downloaded when somebody is about to use one. */
const library = () => import('@simplewebauthn/browser');

type RequestOptions = Parameters<Awaited<ReturnType<typeof library>>['startAuthentication']>[0]['optionsJSON'];
type CreationOptions = Parameters<Awaited<ReturnType<typeof library>>['startRegistration']>[0]['optionsJSON'];

let offering = false;

export const arePasskeysSupported = (): boolean => typeof window.PublicKeyCredential === 'function';

export async function signInWithPasskey({ autofill = false } = {}): Promise<Session> {
  const { startAuthentication } = await library();
  const options = (await client.signIn.passkeySignInOptions({})) as unknown as RequestOptions;
  const credential = await startAuthentication({ optionsJSON: options, useBrowserAutofill: autofill });
  return client.signIn.passkeySignIn({ credential: { ...credential } });
}

/** Offers passkeys in the e-mail field's own suggestions, where the browser can do that. */
export async function offerPasskeys(): Promise<Session | null> {
  if (!arePasskeysSupported()) return null;
  const available = await PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false);
  if (!available) return null;
  offering = true;
  return signInWithPasskey({ autofill: true });
}

export async function stopOffering(): Promise<void> {
  if (!offering) return;
  offering = false;
  const { WebAuthnAbortService } = await library();
  WebAuthnAbortService.cancelCeremony();
}

export async function createPasskey(name: string): Promise<void> {
  const { startRegistration } = await library();
  const options = (await client.signIn.passkeyCreateOptions({})) as unknown as CreationOptions;
  const credential = await startRegistration({ optionsJSON: options });
  await client.signIn.passkeyCreate({ name, credential: { ...credential } });
}

/** Closing the browser's dialog is a choice, not a failure. */
export const isDismissed = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');
