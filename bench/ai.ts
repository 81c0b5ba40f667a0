import { type ScriptedServer, scriptedModel, startScriptedServer } from '@atoll/agent/scripted-server';
import { type AiConversation, type ProjectDetail, topicName, topics } from '@atoll/contract';
import { eq, sql } from 'drizzle-orm';
import { Socket } from 'phoenix';
import { WebSocket } from 'ws';
import type { App } from '../apps/server/src/app.ts';
import { takeSnapshot } from '../apps/server/src/features/ai/service/snapshots.ts';
import { aiConversations } from '../apps/server/src/features/ai/table.ts';
import type { OpenDatabase } from '../apps/server/src/platform/db/database.ts';
import { notebookProject, ServerClient, signUp } from '../apps/server/src/test/server-client.ts';
import { median, p95, type Result } from './report.ts';
import { withApp, withPostgres } from './set-up.ts';

const rounds = 60;
const warmUp = 5;
const conversations = 50;
const events = 5_000;
const openings = 20;
const fileCount = 5_000;
const snapshots = 20;

/** What the assistant adds to its model, on PostgreSQL; people, provider and server share one process, to its cost. */
export async function ai(): Promise<Result[]> {
  const models = await startScriptedServer();
  const measure = async (app: App, database: OpenDatabase) => {
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    const url = app.http.listeningOrigin;
    return [
      await firstWord(url, models),
      ...(await manyAtOnce(url)),
      ...(await longConversation(url, database)),
      await snapshotOfMany(app, url, database),
    ];
  };
  const env = { ATOLL_AI_URL: models.url, ATOLL_AI_LOCAL: 'off' };
  try {
    return await withPostgres([], (urlOf) => withApp(urlOf('postgres'), measure, { env }));
  } finally {
    await models.close();
  }
}

/** A new person beside a notebook of their own. */
async function conversation(origin: string) {
  // Signing up ends the session before it.
  const client = new ServerClient(origin);
  await signUp(client);
  const projectId = await notebookProject(client, ['print("one")']);
  const { default_file_id } = await client.call<ProjectDetail>('GET', `/v1/notebooks/${projectId}`);
  const address = { projectId, fileId: default_file_id ?? '' };
  const { token } = await client.call<{ token: string }>('POST', '/v1/me/socket_token', {});
  const url = `${origin.replace('http', 'ws')}/api/atoll/socket`;
  const socket = new Socket(url, { transport: WebSocket, authToken: token });
  socket.connect();
  const join = (topic: string) => {
    const channel = socket.channel(topic);
    return new Promise<typeof channel>((resolve, reject) => {
      channel
        .join()
        .receive('ok', () => resolve(channel))
        .receive('error', reject);
    });
  };
  const document = await join(topicName(topics.notebook, address));
  const chat = await join(topicName(topics.assistant, address));
  const push = <Answer>(event: string, payload: object) =>
    new Promise<Answer>((resolve, reject) => {
      document
        .push(event, payload)
        .receive('ok', (answer) => resolve(answer as Answer))
        .receive('error', (error) => reject(new Error(JSON.stringify(error))));
    });
  let onFirst = () => {};
  let onEnd = (_reason: unknown) => {};
  chat.on('chat_streaming', () => onFirst());
  chat.on('chat_event', ({ event }: { event: { kind: string; payload: { stop_reason?: unknown } } }) => {
    if (event.kind === 'final_message') onEnd(event.payload.stop_reason);
  });
  return {
    ...address,
    history: () => push<AiConversation>('get_chat_history', {}),
    close: () => socket.disconnect(),
    /** When it was sent, when the first word of the answer came, and why it ended. */
    async say(text: string) {
      let first = 0;
      onFirst = () => {
        first ||= performance.now();
      };
      const ended = new Promise<unknown>((resolve) => {
        onEnd = resolve;
      });
      const sent = performance.now();
      await push('send_message', { request_id: crypto.randomUUID(), text });
      return { sent, reason: await ended, first };
    },
  };
}

const script = '> slow 15\n> say The sea level at Brest has risen by a hand since the gauge was built';

async function firstWord(origin: string, models: ScriptedServer): Promise<Result> {
  const { say, close } = await conversation(origin);
  const [ours, bare, added]: [number[], number[], number[]] = [[], [], []];
  // The token follows its request at once.
  const asked = () => models.requests.at(-1)?.at ?? Number.NaN;
  for (let round = -warmUp; round < rounds; round++) {
    const alone = await bareFirstWord(models.url, asked);
    const { first } = await say(script);
    if (round < 0) continue;
    ours.push(first - asked());
    bare.push(alone);
    added.push(first - asked() - alone);
  }
  close();
  return {
    name: `first word told after the provider's first token, p95 of what is added (medians ${median(ours).toFixed(1)} ms, and ${median(bare).toFixed(1)} ms reading the bare stream)`,
    value: p95(added),
    unit: 'ms',
    limit: { of: 'value', max: 50 },
  };
}

async function bareFirstWord(url: string, asked: () => number): Promise<number> {
  const answer = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: scriptedModel, stream: true, messages: [{ role: 'user', content: script }] }),
  });
  const decoder = new TextDecoder();
  let first = Number.NaN;
  for await (const chunk of answer.body ?? [])
    if (Number.isNaN(first) && decoder.decode(chunk).includes('"content"')) first = performance.now() - asked();
  return first;
}

async function manyAtOnce(origin: string): Promise<Result[]> {
  const all: Awaited<ReturnType<typeof conversation>>[] = [];
  while (all.length < conversations) all.push(await conversation(origin));
  const talk = async () => {
    const one = await Promise.all(all.map(({ say }) => say(`> call read_notebook {}\n> then\n${script}`)));
    return { one, ended: one.filter(({ reason }) => reason === null).length };
  };
  await talk();
  const { one, ended } = await talk();
  for (const { close } of all) close();
  const name = `${conversations} conversations at once`;
  return [
    {
      name: `${name}: how many were not answered`,
      value: conversations - ended,
      unit: 'conversations',
      limit: { of: 'value', max: 0 },
    },
    {
      name: `${name}: from sending to the first word after a tool, p95`,
      value: p95(one.map(({ sent, first }) => first - sent)),
      unit: 'ms',
      limit: { of: 'value', max: 3_000 },
    },
  ];
}

async function longConversation(origin: string, { db }: OpenDatabase): Promise<Result[]> {
  const { say, history, close } = await conversation(origin);
  await say('> say Hello');
  const { id } = await history();
  const usage = '{"input_tokens": 100, "output_tokens": 50, "units": 0}';
  // Turns of five events, after the three that are there and two more that say nothing.
  await db.execute(sql`insert into ai_events (conversation_id, seq, kind, payload, created_at)
    select ${id}::uuid, n, (array['message_sent', 'message_with_tools', 'tool_execution_start', 'tool_execution_completed', 'final_message'])[1 + (n - 4) % 5],
      (array[
        jsonb_build_object('text', 'What is in the notebook?', 'snapshot', 1, 'is_continue', false),
        jsonb_build_object('text', 'Let me see.', 'usage', ${usage}::jsonb, 'calls', jsonb_build_array(jsonb_build_object('id', 'call_' || n / 5, 'name', 'read_notebook', 'input', jsonb_build_object(), 'title', 'Read the notebook', 'preview', null, 'problem', null, 'policy', 'always'))),
        jsonb_build_object('call_id', 'call_' || n / 5, 'name', 'read_notebook', 'is_begun', true),
        jsonb_build_object('call_id', 'call_' || n / 5, 'name', 'read_notebook', 'outcome', 'ok', 'result', repeat('print("one") ', 150)),
        jsonb_build_object('text', repeat('It prints one. ', 20), 'stop_reason', null, 'message', null, 'usage', ${usage}::jsonb, 'snapshot', 1, 'counters', jsonb_build_object('rounds', 2, 'input_tokens', 1, 'output_tokens', 1, 'units', 0, 'milliseconds', 1))
      ])[1 + (n - 4) % 5], now()
    from generate_series(4, ${events - 2}::int) n`);
  await db
    .update(aiConversations)
    .set({ lastSeq: events - 2 })
    .where(eq(aiConversations.id, id));
  await say('> say Hello');
  const times: number[] = [];
  for (let round = 0; round < openings; round++) {
    const began = performance.now();
    const { events: shown, is_whole } = await history();
    times.push(performance.now() - began);
    if (is_whole || shown.at(-1)?.seq !== events) throw new Error(`${shown.at(-1)?.seq} events, ${is_whole}`);
  }
  const words: number[] = [];
  for (let round = 0; round < openings; round++) {
    const { sent, first } = await say(script);
    words.push(first - sent);
  }
  close();
  return [
    {
      name: `a conversation of ${events} events opens, p95`,
      value: p95(times),
      unit: 'ms',
      limit: { of: 'value', max: 500 },
    },
    {
      name: `from sending in a conversation of ${events} events to the first word, p95`,
      value: p95(words),
      unit: 'ms',
      limit: { of: 'value', max: 500 },
    },
  ];
}

async function snapshotOfMany(app: App, origin: string, { db }: OpenDatabase): Promise<Result> {
  const { projectId, say, history, close } = await conversation(origin);
  await db.execute(sql`insert into files
    (id, project_id, path, path_key, language, mime_type, blob, size, version, version_id, created_at, updated_at)
    select gen_random_uuid(), ${projectId}::uuid, 'data/' || n || '.py', 'data/' || n || '.py', 'python', 'text/x-python',
      md5(n::text) || md5(n::text), 10, 1, gen_random_uuid(), now(), now()
    from generate_series(1, ${fileCount}::int) n`);
  await say('> say Hello');
  const { id } = await history();
  close();
  const times: number[] = [];
  for (let round = 0; round < snapshots; round++) {
    const [row] = await db.select().from(aiConversations).where(eq(aiConversations.id, id));
    if (!row) throw new Error('The conversation is gone');
    const blob = String(round).padStart(64, 'a');
    await db.execute(sql`update files set blob = ${blob}, version = version + 1
      where project_id = ${projectId}::uuid and path = ${`data/${round + 1}.py`}`);
    const began = performance.now();
    await takeSnapshot(app.system(), row, row.lastSnapshot + 1 + round);
    times.push(performance.now() - began);
  }
  return {
    name: `a snapshot of ${fileCount} files of which one has changed, p95`,
    value: p95(times),
    unit: 'ms',
    limit: { of: 'value', max: 100 },
  };
}
