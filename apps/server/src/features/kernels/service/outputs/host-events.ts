import type { HostEvent } from '@atoll/kernels/client';

/** The number of events from the beginning that have about this much text together; at least one. */
export function countUpTo(events: HostEvent[], most: number): { count: number; bytes: number } {
  let bytes = 0;
  for (const [index, event] of events.entries()) {
    const text = event.type === 'message' ? event.message.content.text : null;
    bytes += typeof text === 'string' ? text.length : 200;
    if (bytes > most) return { count: index + 1, bytes };
  }
  return { count: events.length, bytes };
}

export const isEnd = ({ type }: HostEvent) => type === 'finished' || type === 'ended';

/** The code waits for an answer. */
export const isQuestion = (event: HostEvent) => event.type === 'message' && event.message.channel === 'stdin';
