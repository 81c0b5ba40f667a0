import type { AiEvent, NewAiEvent } from '@atoll/contract';
import { describe, expect, test } from 'vitest';
import { conversationOf } from './conversation.ts';
import { signatureOf } from './guard.ts';
import { advance, type Loop, type Tool } from './loop.ts';
import { compacted, messagesOf } from './messages.ts';
import { type Model, ModelError, type ModelMessage, type ModelPart } from './model.ts';

const say = (text: string): ModelPart => ({ type: 'text', text });
const call = (name: string, input: unknown = {}, problem: string | null = null): ModelPart => ({
  type: 'call',
  id: crypto.randomUUID(),
  name,
  input,
  problem,
});
const over: ModelPart = { type: 'end', inputTokens: 10, outputTokens: 5 };

/** Answers one list of parts after another; a function is asked each time. */
function scripted(rounds: (ModelPart[] | (() => ModelPart[] | Promise<ModelPart[]>))[]) {
  const requests: ModelMessage[][] = [];
  const model: Model = {
    stream: async function* ({ messages }, signal) {
      requests.push(structuredClone(messages));
      const round = rounds[Math.min(requests.length, rounds.length) - 1] ?? [];
      for (const part of typeof round === 'function' ? await round() : round) {
        signal.throwIfAborted();
        yield part;
      }
      yield over;
    },
  };
  return { model, requests };
}

const tool = (name: string, run: Tool<null>['run'], more: Partial<Tool<null>> = {}): Tool<null> => ({
  ...{ name, title: name, description: name, input: {}, isChanging: false, isRepeatable: true },
  ...{ defaultPolicy: 'always', describe: () => ({ title: name, preview: null }), problem: () => null, run },
  ...more,
});

function loopOf(model: Model, tools: Tool<null>[], more: Partial<Loop<null>> = {}) {
  let seq = 0;
  const stamped = (event: NewAiEvent) =>
    ({ ...event, seq: ++seq, created_at: new Date(0).toISOString(), user: null }) as AiEvent;
  const events = [stamped({ kind: 'message_sent', payload: { text: 'Go', snapshot: 1, is_continue: false } })];
  const streamed: string[] = [];
  const abort = new AbortController();
  const loop: Loop<null> = {
    ...{ events, model, tools, instructions: '', room: 1_000_000, signal: abort.signal },
    append: async (event) => stamped(typeof event === 'function' ? await event(null) : event),
    stream: (part) => void streamed.push(part ? part.text : '[anew]'),
    policyOf: ({ defaultPolicy }) => defaultPolicy,
    limits: { rounds: 25, milliseconds: 1e9, tokens: 1e9, units: null },
    meter: async ({ input, output }) => ({ input_tokens: input, output_tokens: output, units: 1 }),
    snapshot: async () => 2,
    now: () => new Date(0),
    wait: async () => {},
    ...more,
  };
  return { loop, abort, streamed, add: (event: NewAiEvent) => loop.events.push(stamped(event)) };
}

const ended = ({ events }: Loop<null>) =>
  events.flatMap((event) => (event.kind === 'final_message' ? event.payload : []));

describe('the loop', () => {
  test('calls tools and answers, with counters and a snapshot', async () => {
    const { model, requests } = scripted([[say('Let me see'), call('look')], [say('It is 4')]]);
    const { loop, streamed } = loopOf(model, [tool('look', async () => ({ text: 'four' }))]);
    expect(await advance(loop)).toBe('idle');
    expect(loop.events.map(({ kind }) => kind)).toEqual([
      ...['message_sent', 'message_with_tools', 'tool_execution_start', 'tool_execution_completed', 'final_message'],
    ]);
    expect(ended(loop)).toMatchObject([
      { text: 'It is 4', stop_reason: null, snapshot: 2, counters: { rounds: 2, input_tokens: 20, units: 2 } },
    ]);
    expect(requests[1]?.at(-1)).toMatchObject({ role: 'tool', results: [{ text: 'four', isError: false }] });
    expect(streamed).toEqual(['Let me see', 'It is 4']);
  });

  test('waits for a person, goes on when they approve, and in another process', async () => {
    const { model } = scripted([[call('change', { to: 1 })], [say('Done')]]);
    const made: unknown[] = [];
    const change = tool('change', async (input) => ({ text: '', commit: async () => `made ${made.push(input)}` }), {
      defaultPolicy: 'ask',
    });
    const { loop, add } = loopOf(model, [change]);
    expect(await advance(loop)).toBe('waiting_for_approval');
    expect(conversationOf(loop.events).state).toBe('waiting_for_approval');
    expect(made).toEqual([]);
    const asked = conversationOf(loop.events).turns[0]?.rounds[0]?.calls[0];
    add({ kind: 'tool_execution_start', payload: { call_id: asked?.id ?? '', name: 'change', is_begun: false } });
    expect(await advance({ ...loop, events: loop.events })).toBe('idle');
    expect(made).toEqual([{ to: 1 }]);
    expect(ended(loop)).toMatchObject([{ text: 'Done' }]);
  });

  test('ends as rejected, or goes on with what the person says', async () => {
    const { model, requests } = scripted([[call('change')], [say('Then not')]]);
    const change = tool('change', async () => ({ text: 'x' }), { defaultPolicy: 'ask' });
    for (const [result, reason] of [
      ['', 'rejected'],
      ['Not that one', null],
    ] as const) {
      const { loop, add } = loopOf(scripted([[call('change')], [say('Then not')]]).model, [change]);
      await advance(loop);
      const call_id = conversationOf(loop.events).turns[0]?.rounds[0]?.calls[0]?.id ?? '';
      add({ kind: 'tool_execution_completed', payload: { call_id, name: 'change', outcome: 'rejected', result } });
      await advance(loop);
      expect(ended(loop)).toMatchObject([{ stop_reason: reason }]);
    }
    expect(requests).toEqual([]);
    expect(model).toBeDefined();
  });

  test.each([
    ['the same call again and again', [[call('look', { a: 1, b: 2 })]], 5],
    ['one error after another', [() => [call('fail', { at: Math.random() })]], 5],
  ] as const)('stops at %s', async (_name, rounds, count) => {
    const { model, requests } = scripted([...rounds] as Parameters<typeof scripted>[0]);
    const { loop } = loopOf(model, [
      tool('look', async () => ({ text: 'same' })),
      tool('fail', async () => ({ text: 'It is broken', isError: true })),
    ]);
    await advance(loop);
    expect(ended(loop)).toMatchObject([{ stop_reason: 'stuck', message: expect.stringContaining(`${count} times`) }]);
    const warned = requests.filter((messages) => JSON.stringify(messages).includes('Try something else'));
    expect(warned).toHaveLength(1);
  });

  test('stops at two calls in turn', async () => {
    let count = 0;
    const { model } = scripted([() => [call(count++ % 2 ? 'look' : 'read')]]);
    const { loop } = loopOf(model, [
      tool('look', async () => ({ text: `${count}` })),
      tool('read', async () => ({ text: `${count}` })),
    ]);
    await advance(loop);
    expect(ended(loop)).toMatchObject([{ stop_reason: 'stuck' }]);
  });

  test.each([
    ['rounds', { rounds: 2 }, 'max_rounds_reached'],
    ['tokens', { tokens: 20 }, 'budget_exceeded'],
    ['units', { units: 2 }, 'budget_exceeded'],
    ['time', { milliseconds: 0 }, 'timeout'],
  ])('stops at the limit of %s', async (_name, limit, reason) => {
    let count = 0;
    const { model } = scripted([() => [call('look', { at: count++ })]]);
    const limits = { rounds: 25, milliseconds: 1e9, tokens: 1e9, units: null, ...limit };
    const { loop } = loopOf(model, [tool('look', async () => ({ text: `${count}` }))], { limits });
    await advance(loop);
    expect(ended(loop)).toMatchObject([{ stop_reason: reason }]);
  });

  test('a stop in the middle of an answer keeps what was written, and in a tool what was found out', async () => {
    const { model } = scripted([() => [say('Half')]]);
    const { loop, abort } = loopOf(model, []);
    abort.abort('manual_stop');
    loop.stream = () => {};
    await advance(loop);
    expect(ended(loop)).toMatchObject([{ stop_reason: 'manual_stop' }]);
    const second = scripted([[call('wait'), call('never')]]);
    const slow = loopOf(second.model, []);
    slow.loop.tools = [
      tool('wait', async (_input, signal) => {
        slow.abort.abort('manual_stop');
        signal.throwIfAborted();
        return { text: '' };
      }),
      tool('never', async () => {
        throw new Error('It must not run');
      }),
    ];
    await advance(slow.loop);
    const outcomes = slow.loop.events.flatMap((event) =>
      event.kind === 'tool_execution_completed' ? event.payload.outcome : [],
    );
    expect(outcomes).toEqual(['interrupted', 'interrupted']);
    expect(ended(slow.loop)).toMatchObject([{ stop_reason: 'manual_stop' }]);
  });

  test('a provider that fails is tried again where that may help; what was shown begins anew', async () => {
    let tries = 0;
    const model: Model = {
      stream: async function* () {
        yield say('Half');
        if (++tries < 3) throw new ModelError('unavailable');
        yield say(' and whole');
        yield over;
      },
    };
    const { loop, streamed } = loopOf(model, []);
    await advance(loop);
    expect(ended(loop)).toMatchObject([{ text: 'Half and whole', stop_reason: null }]);
    expect(streamed).toEqual(['Half', '[anew]', 'Half', '[anew]', 'Half', ' and whole']);
    const refused = loopOf(
      {
        stream: async function* () {
          yield* [];
          throw new ModelError('wrong_key');
        },
      },
      [],
    );
    await advance(refused.loop);
    expect(refused.loop.events.map(({ kind }) => kind)).toEqual(['message_sent', 'error', 'final_message']);
    expect(ended(refused.loop)).toMatchObject([{ stop_reason: 'error' }]);
  });

  test('calls that cannot be made are answered, so that the model can mend them', async () => {
    const { model, requests } = scripted([
      [call('change', null, 'The input cannot be read'), call('nothing'), call('off')],
      [say('Sorry')],
    ]);
    const { loop } = loopOf(model, [
      tool('change', async () => ({ text: '' })),
      tool('off', async () => ({ text: '' }), { defaultPolicy: 'never' }),
    ]);
    await advance(loop);
    expect(requests[1]?.at(-1)).toMatchObject({
      results: [{ isError: true, text: 'The input cannot be read' }, { isError: true }, { isError: true }],
    });
  });

  test('of a call that was begun by a server that died, only what may be repeated is', async () => {
    for (const isRepeatable of [true, false]) {
      const { model } = scripted([[call('run')], [say('ok')]]);
      let runs = 0;
      const { loop, add } = loopOf(model, [
        tool('run', async () => ({ text: `${++runs}` }), { isRepeatable, defaultPolicy: 'ask' }),
      ]);
      await advance(loop);
      const call_id = conversationOf(loop.events).turns[0]?.rounds[0]?.calls[0]?.id ?? '';
      add({ kind: 'tool_execution_start', payload: { call_id, name: 'run', is_begun: true } });
      await advance(loop);
      expect(runs).toBe(isRepeatable ? 1 : 0);
      expect(ended(loop)).toMatchObject([{ stop_reason: null }]);
    }
  });
});

describe('what a model is told', () => {
  test('leaves out what was taken back', () => {
    const { loop, add } = loopOf(scripted([[]]).model, []);
    add({ kind: 'reverted_to_snapshot', payload: { snapshot: 1, mode: 'both', to_seq: 1, paths: [] } });
    add({ kind: 'message_sent', payload: { text: 'Other', snapshot: 2, is_continue: false } });
    expect(messagesOf(conversationOf(loop.events).turns)).toEqual([{ role: 'user', text: 'Other' }]);
  });

  test('fits: old results are shortened first, then old messages left out, never a result without its call', () => {
    const turn = (index: number): ModelMessage[] => [
      { role: 'user', text: `Question ${index}` },
      { role: 'assistant', text: '', calls: [{ id: `${index}`, name: 'read', input: {} }] },
      { role: 'tool', results: [{ id: `${index}`, name: 'read', text: 'x'.repeat(5_000), isError: false }] },
      { role: 'assistant', text: 'Answer', calls: [] },
    ];
    const messages = Array.from({ length: 20 }, (_, index) => turn(index)).flat();
    for (const most of [60_000, 20_000, 8_000]) {
      const kept = compacted(messages, most);
      expect(kept[0]?.role).toBe('user');
      expect(kept.at(-1)).toEqual(messages.at(-1));
      const calls = new Set(
        kept.flatMap((message) => (message.role === 'assistant' ? message.calls.map(({ id }) => id) : [])),
      );
      for (const message of kept)
        if (message.role === 'tool') for (const { id } of message.results) expect(calls).toContain(id);
    }
    expect(compacted(messages, 1e9)).toBe(messages);
  });

  test('the same arguments in another order are the same call', () => {
    expect(signatureOf('a', { x: 1, y: [{ b: 1, a: 2 }] })).toBe(signatureOf('a', { y: [{ a: 2, b: 1 }], x: 1 }));
    expect(signatureOf('a', { x: 1 })).not.toBe(signatureOf('a', { x: 2 }));
  });
});
