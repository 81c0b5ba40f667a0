import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Random secrets and how they are stored: the database holds hashes only, so that reading it does not allow a sign-in. */

/** 256 bits, in characters that survive URLs, headers and websocket subprotocols. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export function equalSecrets(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
