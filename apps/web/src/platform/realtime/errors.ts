/** A failure of the live connection, in the spec's words (section 8). */
export class RealtimeError extends Error {
  /** The server's reason, such as `locked`; null where it gave none. */
  readonly reason: string | null;
  readonly details: Record<string, unknown>;
  /** The server's message for people; null where it gave none. */
  readonly said: string | null;

  constructor(message: string, refusal: Refusal = {}) {
    super(message);
    this.name = 'RealtimeError';
    this.reason = refusal.reason ?? null;
    this.details = refusal.details ?? {};
    this.said = refusal.message ?? null;
  }
}

/** A reply with status "error". */
export interface Refusal {
  reason?: string;
  message?: string;
  details?: Record<string, unknown>;
}

export const joinFailed = (refusal?: Refusal) =>
  new RealtimeError(`Failed to join Phoenix channel: ${refusal ? (refusal.reason ?? 'unknown') : 'Timeout'}`, refusal);

export const commandFailed = (refusal?: Refusal) =>
  new RealtimeError(`Synchronous command failed: ${refusal ? (refusal.reason ?? 'unknown') : 'Timeout'}`, refusal);

export const notConnected = () => new RealtimeError('Not connected');

/** Polls a condition that has no event. */
export async function waitUntil(
  isTrue: () => boolean,
  { timeoutMs, everyMs }: { timeoutMs: number; everyMs: number },
): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!isTrue()) {
    if (Date.now() >= end) throw new RealtimeError('Timeout when waiting for something to happen');
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Retries for a while when the server is busy. */
export async function retryWhileBusy<Answer>(
  ask: () => Promise<Answer>,
  { timeoutMs, everyMs }: { timeoutMs: number; everyMs: number },
): Promise<Answer> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isBusy = error instanceof RealtimeError && error.reason === 'busy';
      if (!isBusy || Date.now() >= end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
