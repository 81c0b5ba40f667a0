import type { AiConversation, AiEvent } from '@atoll/contract';

/** A conversation as it is shown: what is stored, and what is being written. */
export interface ShownConversation extends Omit<AiConversation, 'events'> {
  events: AiEvent[];
}

interface Streamed {
  conversation_id: string;
  after_seq: number;
  kind: 'text' | 'thinking';
  from: number;
  text: string;
}

export const shownConversation = (loaded: AiConversation): ShownConversation => ({
  ...loaded,
  events: loaded.events as unknown as AiEvent[],
});

const lastSeq = ({ events }: ShownConversation): number => events.at(-1)?.seq ?? 0;

/** With one more event; null where something between is missing and all of it has to be loaded. */
export function withEvent(
  shown: ShownConversation,
  told: { conversation_id: string; state: AiConversation['state']; event: unknown },
): ShownConversation | null {
  const event = told.event as AiEvent;
  if (told.conversation_id !== shown.id) return null;
  if (event.seq <= lastSeq(shown)) return shown;
  if (event.seq !== lastSeq(shown) + 1) return null;
  const configuration =
    event.kind === 'configuration_update' ? { ...shown.configuration, ...event.payload } : shown.configuration;
  return { ...shown, state: told.state, configuration, streaming: null, events: [...shown.events, event] };
}

/** With more of the answer that is being written; what does not go on where it ended is not shown. */
export function withStreamed(shown: ShownConversation, told: Streamed): ShownConversation | null {
  if (told.conversation_id !== shown.id || told.after_seq > lastSeq(shown)) return null;
  if (told.after_seq < lastSeq(shown)) return shown;
  const before = shown.streaming?.after_seq === told.after_seq ? shown.streaming : { text: '', thinking: '' };
  const known = before[told.kind];
  if (told.from > known.length) return null;
  const text = known.slice(0, told.from) + told.text;
  return {
    ...shown,
    streaming: { after_seq: told.after_seq, text: before.text, thinking: before.thinking, [told.kind]: text },
  };
}
