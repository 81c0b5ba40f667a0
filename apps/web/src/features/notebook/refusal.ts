import { RealtimeError } from '../../platform/realtime/errors.ts';

const words: Record<string, string> = {
  stale: 'Someone else changed this in the meantime. Try again.',
  locked: 'Someone else is editing this cell.',
  no_permissions: 'You do not have permission to do this.',
};

export function refusalWords(error: unknown): string {
  if (!(error instanceof RealtimeError)) return error instanceof Error ? error.message : 'Command failed.';
  const { message, reason } = error;
  return error.said ?? (reason ? (words[reason] ?? `Command failed: ${reason}.`) : message);
}
