import type { LimitClass } from '@atoll/contract';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '../errors.ts';
import { Attempts } from './attempts.ts';

/** The rate at which one caller (account, else address) may use a class of endpoints: points in a duration of seconds. */
type Limit = LimitClass | 'command' | 'ask' | 'guest' | 'guest_upload';

export const limitClasses: Record<Limit, { points: number; duration: number }> = {
  read: { points: 1_200, duration: 60 },
  write: { points: 300, duration: 60 },
  /** A folder is many small files of two or three calls each; their bytes are limited elsewhere. */
  upload: { points: 1_200, duration: 60 },
  sign_in: { points: 30, duration: 60 },
  mail: { points: 10, duration: 600 },
  /** Realtime commands that write: a person who types sends many small ones. */
  command: { points: 3_000, duration: 60 },
  /** Realtime commands that only read: a slider sends its position with every step. */
  ask: { points: 3_000, duration: 60 },
  /** New guests and their uploads from one address. */
  guest: { points: 60, duration: 60 },
  guest_upload: { points: 120, duration: 600 },
};

export interface Limits {
  /** Takes one use, or refuses with 429 and the seconds to wait. */
  take(limit: Limit, caller: string): Promise<void>;
  attempts: Attempts;
}

export function createLimits(scale = 1, now: () => number = Date.now): Limits {
  const limiters = Object.fromEntries(
    Object.entries(limitClasses).map(([name, { points, duration }]) => [
      name,
      new RateLimiterMemory({ points: points * scale, duration, keyPrefix: name }),
    ]),
  ) as Record<Limit, RateLimiterMemory>;
  return {
    attempts: new Attempts(now, scale),
    async take(limit, caller) {
      try {
        await limiters[limit].consume(caller);
      } catch (rejection) {
        if (!(rejection instanceof RateLimiterRes)) throw rejection;
        const seconds = Math.max(1, Math.ceil(rejection.msBeforeNext / 1000));
        throw tooManyRequests(seconds);
      }
    },
  };
}
