import { createHmac, randomBytes } from 'node:crypto';
import type { Context } from '../../platform/context.ts';
import { equalSecrets } from '../../platform/secrets.ts';

/**
 * A browser in which somebody signed in keeps a name of its own and, for each of the last people who did, a seal that only
 * this server can make. It lets nobody in: it tells the owner's attempts from those of others who guess.
 */
const mostPeople = 5;
const form = /^[\w-]{22}(\.[\w-]{22}){1,5}$/;

const sealOf = (key: Buffer, device: string, userId: string) =>
  createHmac('sha256', key).update(`device\n${device}\n${userId}`).digest().subarray(0, 16).toString('base64url');

function read(ctx: Context): { device: string; seals: string[] } {
  const { device: cookie } = ctx.credentials;
  const [device, ...seals] = cookie && form.test(cookie) ? cookie.split('.') : [];
  return { device: device ?? randomBytes(16).toString('base64url'), seals };
}

const isOf = (ctx: Context, device: string, userId: string) => (seal: string) =>
  ctx.config.secretKeys.some((key) => equalSecrets(seal, sealOf(key, device, userId)));

/** The device's name if this person has signed in on it before. */
export function knownDevice(ctx: Context, userId: string): string | null {
  const { device, seals } = read(ctx);
  return seals.some(isOf(ctx, device, userId)) ? device : null;
}

/** Whether any person has signed in on it before. Whoever clears the cookie has a new device. */
export const isUsedDevice = (ctx: Context): boolean => read(ctx).seals.length > 0;

export function rememberDevice(ctx: Context, userId: string): void {
  const [key] = ctx.config.secretKeys;
  if (!key) return;
  const { device, seals } = read(ctx);
  const isThis = isOf(ctx, device, userId);
  const others = seals.filter((seal) => !isThis(seal)).slice(0, mostPeople - 1);
  ctx.response.rememberDevice([device, sealOf(key, device, userId), ...others].join('.'));
}
