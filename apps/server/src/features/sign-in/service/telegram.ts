import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import { equalSecrets } from '../../../platform/secrets.ts';

/** What Telegram vouches for; `proof` identifies the signed text, however it was written down. */
export interface TelegramPerson {
  id: number;
  firstName: string;
  lastName: string;
  userName: string | null;
  avatar: string | null;
  startParam: string | null;
  proof: string;
}

export const telegramMaxAgeSeconds = 60 * 60;
/** Clocks differ a little; what was signed further ahead is wrong. */
export const telegramMaxAheadSeconds = 60;

const person = z.object({
  id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  first_name: z.string().default(''),
  last_name: z.string().default(''),
  username: z.string().optional(),
  photo_url: z.string().optional(),
  is_bot: z.literal(false).optional(),
});

/** The query string a mini-app is launched with; null unless this bot's Telegram signed it lately. */
export function readInitData(raw: string, botToken: string, now: Date): TelegramPerson | null {
  const fields = pairsOf(raw);
  const secret = createHmac('sha256', 'WebAppData').update(botToken).digest();
  if (!fields || !isSigned(fields, secret) || !isFresh(fields, now)) return null;
  return personFrom(parsedJson(fields.get('user') ?? ''), fields);
}

/** What the Login Widget hands over, as a JSON object or a query string; null unless signed lately for this bot. */
export function readLoginData(raw: string, botToken: string, now: Date): TelegramPerson | null {
  const fields = raw.trimStart().startsWith('{') ? membersOf(raw) : pairsOf(raw);
  const secret = createHash('sha256').update(botToken).digest();
  if (!fields || !isSigned(fields, secret) || !isFresh(fields, now)) return null;
  return personFrom(Object.fromEntries(fields), fields);
}

type Fields = Map<string, string>;

function pairsOf(raw: string): Fields | null {
  const pairs = [...new URLSearchParams(raw)];
  const fields = new Map(pairs);
  // Of two values for one name, the signature could be over the one and the reading of the other.
  return fields.size === pairs.length ? fields : null;
}

function membersOf(raw: string): Fields | null {
  const members = z.record(z.string(), z.union([z.string(), z.number()])).safeParse(parsedJson(raw));
  if (!members.success) return null;
  return new Map(Object.entries(members.data).map(([name, value]) => [name, String(value)]));
}

function parsedJson(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}

/** Everything but `hash` is signed, the newer `signature` included. */
function isSigned(fields: Fields, secret: Buffer): boolean {
  const text = [...fields]
    .filter(([name]) => name !== 'hash')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
  return equalSecrets(createHmac('sha256', secret).update(text).digest('hex'), fields.get('hash') ?? '');
}

function isFresh(fields: Fields, now: Date): boolean {
  const signedAt = fields.get('auth_date') ?? '';
  if (!/^\d{1,12}$/.test(signedAt)) return false;
  const age = now.getTime() / 1000 - Number(signedAt);
  return age <= telegramMaxAgeSeconds && age >= -telegramMaxAheadSeconds;
}

function personFrom(told: unknown, fields: Fields): TelegramPerson | null {
  const read = person.safeParse(told);
  const proof = fields.get('hash');
  if (!read.success || !proof) return null;
  const { id, first_name, last_name, username, photo_url } = read.data;
  return {
    id,
    firstName: first_name,
    lastName: last_name,
    userName: username ?? null,
    avatar: photo_url ?? null,
    startParam: fields.get('start_param') ?? null,
    proof,
  };
}
