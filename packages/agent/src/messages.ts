import type { Turn } from './conversation.ts';
import type { ModelMessage } from './model.ts';

/** What a model is told of the conversation; what was taken back is not part of it. */
export function messagesOf(turns: readonly Turn[], warning: string | null = null): ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const turn of turns) {
    if (turn.isReverted) continue;
    messages.push({ role: 'user', text: turn.text });
    for (const { text, calls } of turn.rounds) {
      messages.push({
        role: 'assistant',
        text,
        calls: calls.map(({ id, name, input, metadata }) => ({ id, name, input, metadata })),
      });
      const results = calls.flatMap(({ id, name, completed }) =>
        completed ? [{ id, name, text: completed.result, isError: completed.outcome !== 'ok' }] : [],
      );
      if (results.length > 0) messages.push({ role: 'tool', results });
    }
    if (turn.end?.text) messages.push({ role: 'assistant', text: turn.end.text, calls: [] });
  }
  const last = messages.at(-1);
  const result = last?.role === 'tool' ? last.results.at(-1) : undefined;
  if (warning && result) result.text = `${result.text}\n\n[${warning}]`;
  return messages;
}

export const lengthOf = (message: ModelMessage): number =>
  message.role === 'tool'
    ? message.results.reduce((sum, { text }) => sum + text.length, 0)
    : message.text.length + (message.role === 'assistant' ? JSON.stringify(message.calls).length : 0);

const shortened = 400;
const keptWhole = 6;

/**
 * Within so many characters: first what tools answered long ago is shortened, then the oldest messages are left out, from a
 * person's message on, so that no answer of a tool stands without its call.
 */
export function compacted(messages: ModelMessage[], most: number): ModelMessage[] {
  const total = (list: ModelMessage[]) => list.reduce((sum, message) => sum + lengthOf(message), 0);
  if (total(messages) <= most) return messages;
  const list = messages.map((message, index) =>
    message.role !== 'tool' || index >= messages.length - keptWhole
      ? message
      : {
          ...message,
          results: message.results.map((result) => ({ ...result, text: cutText(result.text, shortened) })),
        },
  );
  // From the end: as many as fit, and the newest in any case.
  let length = 0;
  let first = list.length;
  for (let index = list.length - 1; index >= 0; index--) {
    const message = list[index];
    if (!message) break;
    length += lengthOf(message);
    if (length > most && first < list.length) break;
    if (message.role === 'user') first = index;
  }
  const kept = list.slice(first === list.length ? 0 : first);
  const [oldest] = kept;
  if (kept.length < list.length && oldest?.role === 'user')
    kept[0] = { ...oldest, text: `[Earlier messages are left out.]\n\n${oldest.text}` };
  return kept;
}

/** The beginning of a long text, with how much is missing. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}\n[${text.length - most} more characters]`;
