import { errorText } from '@atoll/contract';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { and, eq, lt, or } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { unauthorized } from '../../../platform/errors.ts';
import { findUser } from '../../users/service.ts';
import { type PasskeyRow, passkeys } from '../table.ts';
import {
  type Credential,
  expected,
  highestCounter,
  relyingParty,
  rememberChallenge,
  useChallenge,
} from './passkey-challenge.ts';
import { enterAs, type SignedIn } from './password.ts';

/** Names no account: the device offers the passkeys it has for this site. */
export async function passkeySignInOptions(ctx: Context) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({ rpID: relyingParty(ctx), userVerification: 'preferred' });
  await rememberChallenge(ctx, 'sign_in', options.challenge);
  return options;
}

export async function signInWithPasskey(ctx: Context, credential: Credential): Promise<SignedIn> {
  const expectedChallenge = await useChallenge(ctx, 'sign_in', credential);
  const [row] = await ctx.db.select().from(passkeys).where(eq(passkeys.credentialId, credential.id));
  if (!row) throw unauthorized(errorText.authenticationFailed);
  const info = await verifiedUse(ctx, row, credential, expectedChallenge);
  return ctx.write(async (write) => {
    const [used] = await write.tx
      .update(passkeys)
      .set({ counter: info.newCounter, isBackedUp: info.credentialBackedUp, lastUsedAt: ctx.now() })
      .where(and(eq(passkeys.id, row.id), isStillBehind(info.newCounter)))
      .returning({ id: passkeys.id });
    const user = used ? await findUser(write.tx, row.userId) : null;
    if (!user) throw unauthorized(errorText.authenticationFailed);
    return enterAs(ctx, write, user, 'passkey');
  });
}

async function verifiedUse(ctx: Context, row: PasskeyRow, credential: Credential, expectedChallenge: string) {
  const response = credential as unknown as AuthenticationResponseJSON;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const verification = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    ...expected(ctx),
    // A counter that does not go up means that the key exists twice.
    credential: { id: row.credentialId, publicKey: new Uint8Array(row.publicKey), counter: row.counter },
  }).catch(
    (error: unknown) => void ctx.log.warn({ reason: String(error), passkeyId: row.id }, 'A passkey was not accepted'),
  );
  const handle = response.response?.userHandle;
  const isOwner = handle === undefined || handle === null || decoded(handle) === row.userId;
  const info = verification?.authenticationInfo;
  if (!verification?.verified || !info || !isOwner || info.newCounter > highestCounter) {
    throw unauthorized(errorText.authenticationFailed);
  }
  return info;
}

/** Checked again where it is stored: two uses at once must not both pass with the same count. */
const isStillBehind = (counter: number) =>
  or(lt(passkeys.counter, counter), counter === 0 ? eq(passkeys.counter, 0) : undefined);

const decoded = (handle: unknown) => Buffer.from(String(handle), 'base64url').toString();
