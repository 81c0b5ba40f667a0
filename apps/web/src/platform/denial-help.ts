import { ApiError } from './api-error.ts';
import { RealtimeError } from './realtime/errors.ts';

/** Returns the page that helps after a limit was reached; the details of the error show which limit it was. */
export function helpFor(error: unknown): { label: string; path: string } | null {
  if (error instanceof Error && error.cause instanceof Error) return helpFor(error.cause);
  if (!(error instanceof ApiError || error instanceof RealtimeError)) return null;
  const { reason, details } = error;
  if (reason !== 'usage_limit_reached') return null;
  if ('needed' in details) return { label: 'Add units', path: '/wallet' };
  if (details.renews_at === null) return { label: 'Create account', path: '/sign-up' };
  if ('renews_at' in details) return { label: 'Buy execution time', path: '/usage#extension' };
  return { label: 'See plans', path: '/pricing' };
}
