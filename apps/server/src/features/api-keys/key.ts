import { createHash, randomBytes } from 'node:crypto';

/** A key says what it is (a leaked one can be recognised) and ends in a checksum (a mistyped one costs no query). */
const prefix = 'ak_';
const checksumLength = 6;

const checksum = (body: string) => createHash('sha256').update(body).digest('hex').slice(0, checksumLength);

export function newApiKey(): string {
  const body = randomBytes(32).toString('hex');
  return `${prefix}${body}${checksum(body)}`;
}

export function isApiKeyShaped(key: string): boolean {
  const body = key.slice(prefix.length, -checksumLength);
  return key.startsWith(prefix) && /^[0-9a-f]{64}$/.test(body) && key.endsWith(checksum(body));
}

export const apiKeyHint = (key: string) => `${key.slice(0, prefix.length + 4)}…${key.slice(-4)}`;
