import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { type Round, scriptIn } from './script.ts';

/** An OpenAI-compatible server without a model: it does what the person's message tells it to. */
export interface ScriptedServer {
  url: string;
  /** What it was asked, newest last. */
  requests: ScriptedRequest[];
  /** Requests whose client went away before the end. */
  aborted(): number;
  close(): Promise<void>;
}

export interface ScriptedRequest {
  /** By the clock of this process, which begins with it. */
  at: number;
  authorization: string | null;
  body: { model: string; messages: ChatMessage[]; tools?: unknown[]; stream?: boolean; max_tokens?: number };
}

interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool' | 'developer';
  content: string | { type: string; text?: string }[] | null;
}

/** The key that is refused. */
export const wrongKey = 'wrong';
export const scriptedModel = 'scripted';

const textOf = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('');

/** `isGullible`: it does whatever the answers of tools tell it, however well that is hidden in them. */
export async function startScriptedServer(port = 0, isGullible = false): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = [];
  /** How often each round was refused. */
  const refused = new Map<string, number>();
  let abortedCount = 0;
  const server: Server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) abortedCount++;
    });
    void handle(request, response).catch(() => response.destroy());
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET')
      return json(response, 200, { object: 'list', data: [{ id: scriptedModel, object: 'model' }] });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as ScriptedRequest['body'];
    const authorization = request.headers.authorization ?? null;
    requests.push({ at: performance.now(), authorization, body });
    if (authorization === `Bearer ${wrongKey}`) return problem(response, 401, 'Incorrect API key provided');
    if (body.model !== scriptedModel) return problem(response, 404, `The model ${body.model} does not exist`);
    const length = body.messages.reduce((sum, message) => sum + textOf(message).length, 0);
    if (length > 1_000_000)
      return problem(response, 400, "This model's maximum context length is 250000 tokens", 'context_length_exceeded');
    const { round: whole, key } = (isGullible && ordersIn(body.messages)) || roundOf(body.messages);
    const { fail } = whole;
    const before = refused.get(key) ?? 0;
    if (fail && before < fail.times) {
      refused.set(key, before + 1);
      if (fail.retryAfter !== null) response.setHeader('retry-after', String(fail.retryAfter));
      return problem(response, fail.status, 'Scripted to fail');
    }
    const round = cutRound(whole, body.max_tokens);
    return body.stream ? stream(response, round, length) : plain(response, round, length);
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    aborted: () => abortedCount,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Which round it is follows from the answers that came after the person's last message. */
function roundOf(messages: ChatMessage[]): { round: Round; key: string } {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const asked = messages[last] ? textOf(messages[last]) : '';
  const index = messages.slice(last + 1).filter(({ role }) => role === 'assistant').length;
  const rounds = scriptIn(asked);
  const key = `${asked}\n${index}`;
  if (!rounds) return { round: words(`(scripted) You said: ${asked.slice(0, 200)}`), key };
  const endless = rounds.findIndex(({ isEndless }) => isEndless);
  const round = rounds[endless >= 0 && index > endless ? endless : index];
  return { round: round ?? words('(scripted) Done.'), key };
}

/** What the newest answers of tools want done; tricks that hide it from people hide nothing from a model. */
function ordersIn(messages: ChatMessage[]): { round: Round; key: string } | null {
  const answered = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  const said = answered.flatMap((message) => (message.role === 'tool' ? textOf(message) : [])).join('\n');
  const plain = [...said]
    .map((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return code >= 0xe0020 && code <= 0xe007e ? String.fromCodePoint(code - 0xe0000) : letter;
    })
    .join('')
    .replace(/[\p{Cf}]/gu, '')
    .normalize('NFKC')
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('\\"', '"')
    .replaceAll('""', '"');
  const calls = [...plain.matchAll(/> ?call (\w+) (\{.*?\})(?=\W|$)/g)];
  const say = [...plain.matchAll(/> ?say (.+)/g)].map(([, text = '']) => ({ does: 'say' as const, text }));
  if (calls.length + say.length === 0) return null;
  const steps = calls.map(([, name = '', input = '{}']) => ({ does: 'call' as const, name, input }));
  return { round: { steps: [...say, ...steps], fail: null, isEndless: false, delay: 0 }, key: plain };
}

/** The first tokens of what it would write. */
function cutRound(round: Round, tokens = Number.POSITIVE_INFINITY): Round {
  let left = tokens * 4;
  const steps = round.steps.map((step) => {
    if (!('text' in step)) return step;
    const text = step.text.slice(0, left);
    left -= text.length;
    return { ...step, text };
  });
  return { ...round, steps, isCut: steps.some((step, index) => !isDeepStrictEqual(step, round.steps[index])) };
}

const words = (text: string): Round => ({ steps: [{ does: 'say', text }], fail: null, isEndless: false, delay: 0 });

function usageOf({ steps }: Round, length: number) {
  const written = steps.reduce((sum, step) => sum + ('text' in step ? step.text.length : 20), 0);
  const [prompt_tokens, completion_tokens] = [Math.ceil(length / 4), Math.ceil(written / 4)];
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

async function stream(response: ServerResponse, round: Round, length: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
  const base = { id: 'scripted', object: 'chat.completion.chunk', created: 0, model: scriptedModel };
  const send = async (delta: object, finish: string | null = null) => {
    if (response.destroyed) throw new Error('The client went away');
    response.write(`data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
    if (round.delay > 0) await new Promise((resolve) => setTimeout(resolve, round.delay));
  };
  let calls = 0;
  for (const step of round.steps) {
    if (step.does === 'drop') return void response.destroy();
    if (step.does === 'call') {
      const index = calls++;
      const half = Math.ceil(step.input.length / 2);
      const id = `call_${Math.random().toString(36).slice(2, 12)}`;
      const begun = { name: step.name, arguments: step.input.slice(0, half) };
      await send({ tool_calls: [{ index, id, type: 'function', function: begun }] });
      await send({ tool_calls: [{ index, function: { arguments: step.input.slice(half) } }] });
      continue;
    }
    for (const piece of step.text.match(/\S*\s*/g) ?? [])
      if (piece) await send(step.does === 'say' ? { content: piece } : { reasoning_content: piece });
  }
  await send({}, round.isCut ? 'length' : calls > 0 ? 'tool_calls' : 'stop');
  response.write(`data: ${JSON.stringify({ ...base, choices: [], usage: usageOf(round, length) })}\n\n`);
  response.end('data: [DONE]\n\n');
}

function plain(response: ServerResponse, round: Round, length: number): void {
  const said = round.steps.map((step) => (step.does === 'say' ? step.text : '')).join('');
  const message = { role: 'assistant', content: said };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  json(response, 200, {
    ...{ id: 'scripted', object: 'chat.completion', created: 0, model: scriptedModel },
    choices,
    usage: usageOf(round, length),
  });
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const problem = (response: ServerResponse, status: number, message: string, code: string | null = null) =>
  json(response, status, { error: { message, type: 'scripted', code } });
