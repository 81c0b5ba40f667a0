import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ModelError, type ModelPart, type ModelRequest, messagesOf } from '@atoll/agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sdkModel } from './service/sdk-model.ts';

/** What each provider says on the wire, as its documentation has it: text, a call of a tool, and what it took. */
const anthropic = [
  {
    type: 'message_start',
    message: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [], stop_reason: null },
      usage: { input_tokens: 12, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Let me ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'see.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'call_1', name: 'read', input: {} } },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"path": ' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"a.csv"}' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];
const functionCall = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'read', status: 'completed' };
const openai = [
  { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'gpt', service_tier: null } },
  { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm_1' } },
  { type: 'response.output_text.delta', item_id: 'm_1', output_index: 0, content_index: 0, delta: 'Let me ' },
  { type: 'response.output_text.delta', item_id: 'm_1', output_index: 0, content_index: 0, delta: 'see.' },
  { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'm_1' } },
  { type: 'response.output_item.added', output_index: 1, item: { ...functionCall, arguments: '' } },
  { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta: '{"path": "a.csv"}' },
  { type: 'response.output_item.done', output_index: 1, item: { ...functionCall, arguments: '{"path": "a.csv"}' } },
  {
    type: 'response.completed',
    response: { incomplete_details: null, usage: { input_tokens: 12, output_tokens: 9 }, service_tier: null },
  },
];
const candidate = (part: object, more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts: [part] }, index: 0, ...more }],
  usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 9, totalTokenCount: 21 },
});
const google = [
  candidate({ text: 'Let me ' }),
  candidate({ text: 'see.' }),
  candidate({ functionCall: { name: 'read', args: { path: 'a.csv' } }, thoughtSignature: 'c2ln' }),
  candidate({ text: '' }, { finishReason: 'STOP' }),
];

const hosted = {
  anthropic: {
    parts: anthropic,
    key: (headers: IncomingHttpHeaders) => headers['x-api-key'],
    path: '/messages',
    refused: [401, { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } }],
    busy: { type: 'error', error: { type: 'rate_limit_error', message: 'Too many requests' } },
    long: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
  },
  openai: {
    parts: openai,
    key: (headers: IncomingHttpHeaders) => headers.authorization?.replace('Bearer ', ''),
    path: '/responses',
    refused: [
      401,
      { error: { message: 'Incorrect API key provided', type: 'x', param: null, code: 'invalid_api_key' } },
    ],
    busy: { error: { message: 'Rate limit reached', type: 'requests', param: null, code: 'rate_limit_exceeded' } },
    long: {
      error: {
        ...{ message: 'Your input exceeds the context window of this model.', type: 'invalid_request_error' },
        ...{ param: 'input', code: 'context_length_exceeded' },
      },
    },
  },
  google: {
    parts: google,
    key: (headers: IncomingHttpHeaders) => headers['x-goog-api-key'],
    path: '/models/large:streamGenerateContent',
    refused: [
      400,
      {
        error: {
          ...{ code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' },
          details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }],
        },
      },
    ],
    busy: { error: { code: 429, message: 'Resource exhausted', status: 'RESOURCE_EXHAUSTED' } },
    long: {
      error: {
        ...{ code: 400, status: 'INVALID_ARGUMENT' },
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      },
    },
  },
} as const;
type Kind = keyof typeof hosted;

const requests: { kind: Kind; path: string; body: Record<string, unknown> }[] = [];
/** One server for all three: which is meant is the beginning of the address, what happens is in the key. */
const server = createServer(async (request, response) => {
  const [, kind = '', ...rest] = (request.url ?? '').split('/');
  const { parts, key, refused, busy, long } = hosted[kind as Kind];
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const path = `/${rest.join('/')}`.replace(/\?.*/, '');
  requests.push({ kind: kind as Kind, path, body: JSON.parse(Buffer.concat(chunks).toString()) });
  const answer = (status: number, body: object, headers: Record<string, string> = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
  const wish = key(request.headers);
  if (wish === 'wrong') return answer(...(refused as [number, object]));
  if (wish === 'busy') return answer(429, busy, { 'retry-after': '7' });
  if (wish === 'later') return answer(503, busy, { 'retry-after': '3' });
  if (wish === 'long') return answer(400, long);
  if (wish === 'gone') return answer(404, busy);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const part of wish === 'cut' ? parts.slice(0, 4) : parts) {
    const name = 'type' in part ? `event: ${part.type}\n` : '';
    response.write(`${name}data: ${JSON.stringify(part)}\n\n`);
  }
  if (wish === 'cut') return void setImmediate(() => response.destroy());
  response.end();
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const question: ModelRequest = {
  instructions: 'Be brief.',
  messages: [{ role: 'user', text: 'What is in the file?' }],
  tools: [
    {
      ...{ name: 'read', description: 'Reads a file' },
      input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  ],
};
const modelOf = (kind: Kind, apiKey: string | null) =>
  sdkModel({ kind, baseUrl: `${origin}/${kind}`, apiKey, model: 'large', fetch });
async function ask(kind: Kind, key: string | null, request = question): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of modelOf(kind, key).stream(request, new AbortController().signal)) parts.push(part);
  return parts;
}
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ code, retryAfterMs }: ModelError) => ({ code, retryAfterMs }),
  );

describe.each(Object.keys(hosted) as Kind[])('%s on its own wire', (kind) => {
  test('streams text, a call of a tool and what it took; the call goes back with its answer', async () => {
    const parts = await ask(kind, 'right');
    const said = parts.flatMap((part) => (part.type === 'text' ? part.text : []));
    expect(said.join('')).toBe('Let me see.');
    expect(said.length).toBeGreaterThan(1);
    const call = parts.find((part) => part.type === 'call');
    expect(call).toMatchObject({ name: 'read', input: { path: 'a.csv' }, problem: null });
    expect(parts.at(-1)).toEqual({ type: 'end', inputTokens: 12, outputTokens: 9 });
    expect(requests.at(-1)).toMatchObject({ kind, path: hosted[kind].path });
    if (kind === 'openai') expect(requests.at(-1)?.body).toMatchObject({ store: false });
    if (call?.type !== 'call') throw new Error('No call');
    const { id, name, input, metadata } = call;
    await ask(kind, 'right', {
      ...question,
      messages: [
        ...question.messages,
        { role: 'assistant', text: 'Let me see.', calls: [{ id, name, input, metadata }] },
        { role: 'tool', results: [{ id, name, text: 'one,two', isError: false }] },
      ],
    });
    const sent = JSON.stringify(requests.at(-1)?.body);
    expect(sent).toContain('a.csv');
    expect(sent).toContain('one,two');
    if (kind === 'google') expect(sent).toContain('c2ln');
  });

  test('what it refuses is told in our words', async () => {
    expect(await refusal(ask(kind, null))).toMatchObject({ code: 'no_key' });
    expect(await refusal(ask(kind, 'wrong'))).toMatchObject({ code: 'wrong_key' });
    expect(await refusal(ask(kind, 'busy'))).toEqual({ code: 'rate_limited', retryAfterMs: 7_000 });
    expect(await refusal(ask(kind, 'later'))).toEqual({ code: 'unavailable', retryAfterMs: 3_000 });
    expect(await refusal(ask(kind, 'long'))).toMatchObject({ code: 'context_too_long' });
    expect(await refusal(ask(kind, 'gone'))).toMatchObject({ code: 'model_not_found' });
    expect(await refusal(ask(kind, 'cut'))).toMatchObject({ code: 'bad_answer' });
  });
});

test('what a provider wants back with a call is kept with it', () => {
  const calls = [{ id: '1', name: 'read', input: {}, metadata: { google: { thoughtSignature: 'x' } } }];
  const call = {
    ...calls[0],
    title: '',
    preview: null,
    problem: null,
    policy: 'always',
    state: 'waiting',
    completed: null,
  };
  const turn = { text: 'Hello', rounds: [{ seq: 2, text: '', thinking: '', calls: [call] }], end: null };
  expect(messagesOf([turn as never])[1]).toEqual({ role: 'assistant', text: '', calls });
});
