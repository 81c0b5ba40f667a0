import type { PersonSummary } from '@atoll/contract';
import { personName } from '@atoll/contract/users/names';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import type { KeptChannels } from './kept-channels.ts';

/** A server renews the locks of its channels well within this time; the locks of a dead server expire. */
export const lockLife = 60_000;

/** The window that holds a lock; its tag identifies it when it comes back on another channel. */
export interface Window {
  channelId: string;
  tag: string;
}

interface Holder extends Window {
  userId: string;
}

export function newLock(ctx: Context, { channelId, tag }: Window) {
  const acquiredAt = ctx.now();
  const expiresAt = new Date(acquiredAt.getTime() + lockLife);
  return { userId: ctx.userId, channelId, tag, acquiredAt, expiresAt };
}

export const isSameWindow = (held: Holder, lock: Holder): boolean =>
  held.userId === lock.userId && (held.channelId === lock.channelId || (lock.tag !== '' && held.tag === lock.tag));

export const locked = (what: 'file' | 'cell', by: PersonSummary | null | undefined, details: object): AppError =>
  new AppError('conflict', `${by ? personName(by) : 'Someone'} is editing this ${what}.`, {
    details: { reason: 'locked', ...details },
  });

interface Care {
  renew(channelIds: string[]): Promise<void>;
  endExpired(): Promise<void>;
}

/** Renews the locks of these channels until it is stopped. */
export function keepLocks(ctx: Context, channels: KeptChannels, { renew, endExpired }: Care): () => void {
  const timer = setInterval(async () => {
    await renew(channels.ids).catch((error: unknown) => ctx.log.error({ error }, 'Locks could not be renewed'));
    await endExpired().catch((error: unknown) => ctx.log.error({ error }, 'Old locks could not be ended'));
  }, lockLife / 4);
  return () => {
    clearInterval(timer);
    channels.stop();
  };
}
