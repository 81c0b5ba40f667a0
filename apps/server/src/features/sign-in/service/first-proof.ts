import { eq } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { revokeAllApiKeys } from '../../api-keys/service.ts';
import { endOtherSessions } from '../../sessions/service.ts';
import { type UserRow, users } from '../../users/table.ts';
import { identities, passkeys } from '../table.ts';

/**
 * The first time a mail proves whose an address is, every way in that was set up before is taken away: anybody could have
 * signed up with the address and be waiting in the account for its owner.
 */
export async function proveAddress(ctx: Context, write: Write, user: UserRow, email: string): Promise<UserRow> {
  if (user.email !== email || user.emailConfirmedAt) return user;
  await write.tx.delete(passkeys).where(eq(passkeys.userId, user.id));
  await write.tx.delete(identities).where(eq(identities.userId, user.id));
  await revokeAllApiKeys(ctx, write, user.id);
  await endOtherSessions(ctx, write, user.id, 'address_proven');
  const [proven] = await write.tx
    .update(users)
    .set({ emailConfirmedAt: ctx.now(), passwordHash: null })
    .where(eq(users.id, user.id))
    .returning();
  await write.emit('user.updated', { user_id: user.id, fields: ['email'] });
  if (user.passwordHash) await write.emit('credentials.changed', { user_id: user.id, what: 'password' });
  return proven ?? user;
}
