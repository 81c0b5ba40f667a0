import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. */
const argon2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Half of the cores, and never all threads that Node has for files and names: those are for everyone else. */
const atOnce = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));
/** About a second of work. The queue refuses more, to keep waits short. */
const mostWaiting = 32;
const retryAfterSeconds = 5;

interface Waiting {
  known: (() => void)[];
  others: (() => void)[];
}

/** Hashing is made to be slow, so it happens in turn. Devices on which the person has signed in before come first. */
class HashQueue {
  readonly #waiting: Waiting = { known: [], others: [] };
  #running = 0;

  async run<Result>(isKnown: boolean, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < atOnce) this.#running++;
    else await this.#turn(this.#waiting[isKnown ? 'known' : 'others']);
    try {
      return await work();
    } finally {
      const next = this.#waiting.known.shift() ?? this.#waiting.others.shift();
      if (next) next();
      else this.#running--;
    }
  }

  #turn(queue: (() => void)[]): Promise<void> {
    if (queue.length >= mostWaiting)
      throw new AppError('too_many_requests', 'Too many people are signing in at once. Try again in a few seconds.', {
        details: { retry_after: retryAfterSeconds },
      });
    return new Promise((resolve) => queue.push(resolve));
  }
}

export const hashQueueOf = appState(() => new HashQueue());

export const hashPassword = (ctx: Context, password: string, { isKnown = false } = {}): Promise<string> =>
  hashQueueOf(ctx).run(isKnown, () => hash(password, argon2));

/** Verified against when there is no such account, so that the answer takes the same time. */
const nobodysHash = appState(() => hash('no account has this password', argon2));

export const isPassword = (
  ctx: Context,
  passwordHash: string | null | undefined,
  password: string,
  isKnown: boolean,
): Promise<boolean> =>
  hashQueueOf(ctx).run(isKnown, async () => verify(passwordHash ?? (await nobodysHash(ctx)), password));
