import { ApiError } from './api-error.ts';

export interface Patience {
  signal?: AbortSignal;
  /** Called when waiting begins and when it is over. */
  onWaiting(isWaiting: boolean): void;
}

/** About a quarter of an hour without a connection, at growing intervals. */
const tries = 40;
const longestWait = 30_000;

/** Retries after temporary failures: a lost connection, a busy server. The caller handles all other errors. */
export async function patiently<Result>(
  work: (attempt: number) => Promise<Result>,
  patience?: Patience,
): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      const result = await work(attempt);
      if (attempt > 0) patience?.onWaiting(false);
      return result;
    } catch (error) {
      if (!patience || patience.signal?.aborted || !isPassing(error) || attempt === tries) throw error;
      patience.onWaiting(true);
      await pause(waitAfter(error, attempt), patience.signal);
    }
  }
}

const passingStatuses = new Set([408, 429, 502, 503, 504]);

function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return error instanceof TypeError;
  // The position of an upload is progress, not a refusal.
  return passingStatuses.has(error.status) || (error.status === 409 && 'received' in error.details);
}

function waitAfter(error: unknown, attempt: number): number {
  const asked = error instanceof ApiError ? Number(error.details.retry_after) : Number.NaN;
  return asked > 0 ? asked * 1_000 : Math.min(longestWait, 500 * 2 ** attempt);
}

/** Ends early when the connection comes back. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(new DOMException('Cancelled', 'AbortError'));
      else resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    signal?.addEventListener('abort', end);
  });
}
