import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { type SigningKey, signingKey } from './signed.ts';
import { serverKeys } from './table.ts';

const purpose = 'messages';

/**
 * The key that signs messages between servers: every server that can use their database has it. The first server creates
 * it.
 */
export async function sharedKey(db: Database): Promise<SigningKey> {
  const made = randomBytes(32).toString('hex');
  await db.insert(serverKeys).values({ purpose, key: made }).onConflictDoNothing();
  const [row] = await db.select().from(serverKeys).where(eq(serverKeys.purpose, purpose));
  if (!row) throw new Error('The key for messages between servers was not stored');
  return signingKey(Buffer.from(row.key, 'hex'));
}
