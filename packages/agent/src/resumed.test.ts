import type { AiEvent, NewAiEvent } from '@atoll/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conversationOf, nextCall } from './conversation.ts';
import { advance, type Loop, type Tool } from './loop.ts';
import { messagesOf } from './messages.ts';
import { type Model, ModelError } from './model.ts';

/** What the model says in one round. */
const round = fc.record({
  text: fc.string({ maxLength: 5 }),
  thinking: fc.constantFrom('', 'Hm'),
  calls: fc.array(
    fc.record({
      name: fc.constantFrom('read', 'insert', 'run', 'ask', 'fail', 'off', 'unknown'),
      isMalformed: fc.constantFrom(false, false, false, true),
    }),
    { maxLength: 3 },
  ),
  fails: fc.constantFrom(null, null, null, null, 'unavailable' as const, 'wrong_key' as const),
});
type Script = (typeof round extends fc.Arbitrary<infer Value> ? Value : never)[];

/** The answer follows from what the model is told alone, as with a model that is asked again by another server. */
const modelOf = (script: Script): Model => ({
  stream: async function* ({ messages }) {
    const at = messages.filter(({ role }) => role === 'assistant').length;
    const { text, thinking, calls, fails } = script[at] ?? { text: 'Done', thinking: '', calls: [], fails: null };
    if (thinking) yield { type: 'thinking', text: thinking };
    yield { type: 'text', text };
    if (fails) throw new ModelError(fails);
    for (const [index, { name, isMalformed }] of calls.entries()) {
      const problem = isMalformed ? 'The input cannot be read' : null;
      yield { type: 'call', id: `${at}-${index}`, name, input: { at, index }, problem };
    }
    yield { type: 'end', inputTokens: 10, outputTokens: 5 };
  },
});

/** A store that is lost to the server at some event, with what its tools have changed by then. */
class Store {
  events: AiEvent[] = [];
  /** Changed within the transaction of an event. */
  inserted: string[] = [];
  /** Changed outside of it, by what must not be repeated. */
  ran: string[] = [];
  left: number;

  constructor(left: number) {
    this.left = left;
  }

  append = async (event: NewAiEvent | ((tx: string[]) => Promise<NewAiEvent>)): Promise<AiEvent> => {
    const inserted = [...this.inserted];
    const made = typeof event === 'function' ? await event(inserted) : event;
    if (this.left-- <= 0) throw new Killed();
    const stored = { ...made, seq: this.events.length + 1, created_at: new Date(0).toISOString(), user: null };
    this.events.push(stored as AiEvent);
    this.inserted = inserted;
    return stored as AiEvent;
  };
}

class Killed extends Error {}

function toolsOf(store: Store): Tool<string[]>[] {
  const tool = (name: string, run: Tool<string[]>['run'], more: Partial<Tool<string[]>> = {}): Tool<string[]> => ({
    ...{ name, title: name, description: name, input: {}, isChanging: false, isRepeatable: true },
    ...{ defaultPolicy: 'always', describe: () => ({ title: name, preview: null }), problem: () => null, run },
    ...more,
  });
  const ran = async (input: unknown) => ({ text: `ran ${store.ran.push(JSON.stringify(input))}` });
  return [
    tool('read', async (input) => ({ text: JSON.stringify(input) })),
    tool('insert', async (input) => ({ text: '', commit: async (tx) => `inserted ${tx.push(JSON.stringify(input))}` })),
    tool('run', ran, { isRepeatable: false }),
    tool('ask', ran, { isRepeatable: false, defaultPolicy: 'ask' }),
    tool('fail', async () => Promise.reject(new Error('No'))),
    tool('off', async () => Promise.reject(new Error('It must not run')), { defaultPolicy: 'never' }),
  ];
}

/** One server after another, until the turn has ended; each knows only what is stored. */
async function carriedOut(script: Script, lives: number[], approves: boolean[]): Promise<Store> {
  const store = new Store(Number.POSITIVE_INFINITY);
  for (const text of ['Go', 'Go on']) {
    store.left = Number.POSITIVE_INFINITY;
    await store.append({ kind: 'message_sent', payload: { text, snapshot: 1, is_continue: false } });
    let decisions = 0;
    for (let life = 0; conversationOf(store.events).state !== 'idle'; life++) {
      store.left = lives[life] ?? Number.POSITIVE_INFINITY;
      const loop: Loop<string[]> = {
        ...{ events: [...store.events], model: modelOf(script), tools: toolsOf(store), instructions: '' },
        ...{ room: 1_000_000, signal: new AbortController().signal, append: store.append, stream: () => {} },
        policyOf: ({ defaultPolicy }) => defaultPolicy,
        limits: { rounds: 25, milliseconds: 1e9, tokens: 1e9, units: null },
        meter: async ({ input, output }) => ({ input_tokens: input, output_tokens: output, units: 1 }),
        ...{ snapshot: async () => 2, now: () => new Date(0), wait: async () => {} },
      };
      const state = await advance(loop).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
        return 'killed';
      });
      if (state !== 'waiting_for_approval') continue;
      const turn = conversationOf(store.events).turns.at(-1);
      const asked = turn && nextCall(turn);
      if (!asked?.isWaitingForApproval) throw new Error('Nothing is asked for');
      const { id: call_id, name } = asked.call;
      store.left = Number.POSITIVE_INFINITY;
      const rejected = { call_id, name, outcome: 'rejected' as const, result: '' };
      await store.append(
        (approves[decisions++] ?? true)
          ? { kind: 'tool_execution_start', payload: { call_id, name, is_begun: false } }
          : { kind: 'tool_execution_completed', payload: rejected },
      );
    }
  }
  return store;
}

test('whatever the model says and wherever servers die, each call is done once and each turn ends', async () => {
  const lives = fc.array(fc.nat({ max: 6 }), { maxLength: 6 });
  const approvals = fc.array(fc.constantFrom(true, true, false), { maxLength: 4 });
  const scripts = fc.array(round, { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(scripts, lives, approvals, async (script, lived, approves) => {
      const { events, inserted, ran } = await carriedOut(script, lived, approves);
      const { turns, state, lastSeq } = conversationOf(events);
      expect(state).toBe('idle');
      expect(lastSeq).toBe(events.length);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(turns).toHaveLength(2);
      expect(turns.every(({ end }) => end !== null)).toBe(true);
      expect(events.filter(({ kind }) => kind === 'final_message')).toHaveLength(2);
      const calls = turns.flatMap(({ rounds }) => rounds.flatMap((each) => each.calls));
      expect(calls.every((call) => call.state === 'done')).toBe(true);
      const completed = events.flatMap((event) =>
        event.kind === 'tool_execution_completed' ? event.payload.call_id : [],
      );
      expect(completed.toSorted()).toEqual(calls.map(({ id }) => id).toSorted());
      // What a call has changed is there once, and what it says of it is true.
      const done = (name: string) =>
        calls.flatMap((call) =>
          call.name === name && call.completed?.outcome === 'ok' ? JSON.stringify(call.input) : [],
        );
      expect(inserted).toEqual(done('insert'));
      expect(new Set(ran).size).toBe(ran.length);
      for (const input of [...done('run'), ...done('ask')]) expect(ran).toContain(input);
      // The next model can be told all of it: no call without its result.
      const messages = messagesOf(turns);
      const results = messages.flatMap((message) =>
        message.role === 'tool' ? message.results.map(({ id }) => id) : [],
      );
      expect(results.toSorted()).toEqual(completed.toSorted());
    }),
    { numRuns: 300 },
  );
});
