import type { Passkey } from '@atoll/contract';
import { personName } from '@atoll/contract/users/names';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { asc, eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { AppError, invalidField, notFound, unauthorized } from '../../../platform/errors.ts';
import { currentTheme } from '../../theme/service.ts';
import { requireSelf } from '../../users/service.ts';
import { personView } from '../../users/view.ts';
import { type PasskeyRow, passkeys } from '../table.ts';
import {
  algorithms,
  type Credential,
  expected,
  highestCounter,
  relyingParty,
  rememberChallenge,
  useChallenge,
} from './passkey-challenge.ts';

const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
type Transport = (typeof knownTransports)[number];

export async function passkeyCreateOptions(ctx: Context) {
  const user = await requireSelf(ctx);
  const rows = await listPasskeys(ctx);
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const options = await generateRegistrationOptions({
    rpName: (await currentTheme(ctx)).name,
    rpID: relyingParty(ctx),
    userID: new TextEncoder().encode(user.id),
    userName: user.email ?? user.userName,
    userDisplayName: personName(personView(user)),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: rows.map((row) => ({ id: row.credentialId, transports: row.transports as Transport[] })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  });
  await rememberChallenge(ctx, 'create', options.challenge);
  return options;
}

export async function createPasskey(
  ctx: Context,
  input: { name: string; credential: Credential },
): Promise<PasskeyRow> {
  const user = await requireSelf(ctx);
  const expectedChallenge = await useChallenge(ctx, 'create', input.credential);
  const response = input.credential as unknown as RegistrationResponseJSON;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const verification = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    ...expected(ctx),
    supportedAlgorithmIDs: algorithms,
  }).catch((error: unknown) => void ctx.log.info({ reason: String(error) }, 'A new passkey was not accepted'));
  const info = verification?.registrationInfo;
  if (!info || info.credential.counter > highestCounter) {
    throw invalidField('credential', 'The passkey could not be verified');
  }
  return ctx.write(async (write) => {
    const [row] = await write.tx
      .insert(passkeys)
      .values({
        userId: user.id,
        credentialId: info.credential.id,
        publicKey: info.credential.publicKey,
        counter: info.credential.counter,
        transports: knownTransports.filter((transport) => [info.credential.transports].flat().includes(transport)),
        isBackedUp: info.credentialBackedUp,
        name: input.name,
        createdAt: ctx.now(),
      })
      .onConflictDoNothing()
      .returning();
    if (!row) throw new AppError('conflict', 'This passkey is already registered.');
    await write.emit('credentials.changed', { user_id: user.id, what: 'passkey' });
    return row;
  });
}

export async function listPasskeys(ctx: Context): Promise<PasskeyRow[]> {
  const { userId } = ctx.actor;
  if (!userId) throw unauthorized();
  return ctx.db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt));
}

export async function deletePasskey(ctx: Context, id: string): Promise<void> {
  await ctx.write(async (write) => {
    const [row] = await write.tx.select().from(passkeys).where(eq(passkeys.id, id)).for('update');
    if (!row) throw notFound('This passkey');
    ctx.authorize('passkey.delete', row);
    await write.tx.delete(passkeys).where(eq(passkeys.id, id));
    await write.emit('credentials.changed', { user_id: row.userId, what: 'passkey' });
  });
}

export const passkeyView = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
});
