import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { rememberOneTime, useOneTimeToken } from './one-time.ts';

/** What a browser sends; the library checks every part of it. */
export type Credential = { id: string } & Record<string, unknown>;

/** What the column can hold; authenticators that count at all begin near zero. */
export const highestCounter = 2 ** 31 - 1;

/** Ed25519, ES256 and RS256 by their COSE numbers; the newer ones are still experiments in the runtime. */
export const algorithms = [-8, -7, -257];

export const expected = (ctx: Context) => ({
  expectedOrigin: ctx.config.origin,
  expectedRPID: relyingParty(ctx),
  // Asked for where the device can, as a password needs no second factor either.
  requireUserVerification: false,
});

/** Passkeys belong to the host people see in the address bar. */
export const relyingParty = (ctx: Context) => new URL(ctx.config.url).hostname;

/** A challenge is kept with what it is for, so that it cannot be answered for anything or anybody else. */
type Purpose = 'create' | 'sign_in';
const secretFor = (ctx: Context, purpose: Purpose, challenge: string) =>
  `${purpose}:${purpose === 'create' ? ctx.actor.userId : ctx.actor.sessionId}:${challenge}`;

export async function rememberChallenge(ctx: Context, purpose: Purpose, challenge: string): Promise<void> {
  const userId = purpose === 'create' ? ctx.actor.userId : null;
  const secret = secretFor(ctx, purpose, challenge);
  await ctx.write((write) => rememberOneTime(ctx, write, secret, { purpose: 'passkey', userId }));
}

/** The challenge this credential answers, used up; refuses one that is not waiting for the caller. */
export async function useChallenge(ctx: Context, purpose: Purpose, credential: Credential): Promise<string> {
  const challenge = isEncoded(credential.id) ? await challengeIn(credential) : null;
  const used =
    challenge &&
    (await ctx.write((write) => useOneTimeToken(ctx, write, 'passkey', secretFor(ctx, purpose, challenge))));
  if (!used) throw new AppError('gone', 'This request has expired. Try again.');
  return challenge;
}

const isEncoded = (id: string) => /^[\w-]+$/.test(id);

async function challengeIn(credential: Credential): Promise<string | null> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
  try {
    const { clientDataJSON } = (credential as unknown as RegistrationResponseJSON).response;
    const { challenge } = decodeClientDataJSON(clientDataJSON);
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}
