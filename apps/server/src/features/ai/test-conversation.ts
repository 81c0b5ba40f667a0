import { startScriptedServer } from '@atoll/agent/scripted-server';
import { type AiConversation, topicName, topics } from '@atoll/contract';
import { onTestFinished } from 'vitest';
import { connect, JoinRefused, join } from '../../test/realtime-client.ts';
import { code } from '../../test/set-ups/notebooks.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { runnerOf } from './service/runner.ts';

type Fields = Record<string, unknown>;

export async function scripted() {
  const server = await startScriptedServer();
  onTestFinished(() => server.close());
  return server;
}

export const cells = (...sources: string[]) => sources.map((source, index) => code(source, `cell-${index + 1}`));

/** A person in a notebook, with a scripted model for everyone. */
export async function setUp(options: { env?: Record<string, string> } = {}) {
  const models = await scripted();
  const app = await createTestApp({ env: { ATOLL_AI_URL: models.url, ...options.env } });
  const ada = await app.person();
  const { id: projectId, fileId } = await app.notebookProject(ada.token, cells('print("one")', 'x = 2'));
  const address = { projectId, fileId };
  return { app, ada, models, address, ...(await enter(app, ada.token, address)) };
}

export async function enter(app: TestApp, token: string, address: { projectId: string; fileId: string }) {
  const socket = await connect(app, token);
  const document = await join(socket, topicName(topics.notebook, address));
  const chat = await join(socket, topicName(topics.assistant, address));
  const send = <Answer = Fields>(event: string, input: Fields = {}) =>
    document.push(event, { request_id: crypto.randomUUID(), ...input }) as Promise<Answer>;
  const history = (input: Fields = {}) =>
    document.push('get_chat_history', input) as unknown as Promise<AiConversation>;
  const settled = () => runnerOf(app.app.system()).settled();
  /** Says something and waits until it is the person's turn again. */
  const say = async (text: string) => {
    await send('send_message', { text });
    await settled();
    return history();
  };
  return { socket, document, chat, send, history, say, settled };
}

export const kinds = ({ events }: AiConversation) => events.map(({ kind }) => kind);
export const last = ({ events }: AiConversation) => events.at(-1)?.payload as Fields;
export const refused = (work: Promise<unknown>) =>
  work.then(
    (answer) => ({ answer }),
    (error: unknown) => (error instanceof JoinRefused ? error.response : Promise.reject(error)),
  );
