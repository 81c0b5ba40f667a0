import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/**
 * AES-256-GCM with a fresh 96-bit nonce. The owner and the name are additional data: a row copied to another owner, or
 * under another name, does not open.
 */
const additionalData = (userId: string, key: string) => Buffer.from(`${userId}\n${key}`);

export const keyIdOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 16);

export function seal(masterKey: Buffer, userId: string, key: string, secret: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', masterKey, nonce);
  cipher.setAAD(additionalData(userId, key));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

export function unseal(masterKey: Buffer, userId: string, key: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', masterKey, bytes.subarray(0, 12));
  decipher.setAAD(additionalData(userId, key));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}

/** What belongs to the server and to nobody's account, with the newest of its keys. */
export function sealForServer([newest]: readonly Buffer[], name: string, content: string): string {
  if (!newest) throw new Error('There is no key to seal with: set ATOLL_SECRET_KEYS');
  return seal(newest, '', name, content);
}

/** Null for what none of its keys has sealed. */
export function openForServer(keys: readonly Buffer[], name: string, sealed: string): string | null {
  for (const key of keys) {
    try {
      return unseal(key, '', name, sealed);
    } catch {
      // Another key, or nothing of ours.
    }
  }
  return null;
}
