import { RealtimeError } from '../../../platform/realtime/errors.ts';

const words: Record<string, string> = {
  stale: 'Somebody else changed this in the meantime, so it was not done.',
  locked: 'Somebody else is writing in this cell.',
  no_permissions: 'You may not do this here.',
};

export function refusalWords(error: unknown): string {
  if (!(error instanceof RealtimeError)) return error instanceof Error ? error.message : 'It was not done.';
  const { message, reason } = error;
  return error.said ?? (reason ? (words[reason] ?? `It was not done: ${reason}.`) : message);
}
