import { type Notebook, topicName, topics } from '@atoll/contract';
import { expect } from 'vitest';
import { connect, type JoinedTopic, JoinRefused, join } from '../../../test/realtime-client.ts';
import { code as codeCell } from '../../../test/set-ups/notebooks.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { projectGrants } from '../../projects/table.ts';

export const code = (id: string, source: string, outputs: object[] = []) => codeCell(source, id, outputs);
export const stdout = (text: string) => ({ name: 'stdout', output_type: 'stream', text });
export const fileOf = (cells: object[], more: object = {}) =>
  `${JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5, ...more }, null, 1)}\n`;

export type Fields = Record<string, unknown>;

/** Opens a notebook for a person, with a connection of its own. */
export async function open(app: TestApp, token: string, projectId: string, fileId: string, params: object = {}) {
  const topic = await join(await connect(app, token), topicName(topics.notebook, { projectId, fileId }), params);
  const send = <Answer = Fields>(event: string, input: Fields = {}) =>
    topic.push(event, { request_id: crypto.randomUUID(), ...input }) as Promise<Answer>;
  const ask = <Answer = Fields>(event: string, input: Fields = {}) => topic.push(event, input) as Promise<Answer>;
  const read = () => ask<unknown>('get_notebook') as Promise<Notebook>;
  return { topic, send, ask, read };
}

export async function setUp(content: string, options: Parameters<typeof createTestApp>[0] = {}) {
  const app = await createTestApp(options);
  const ada = await app.person();
  const upload = await app.upload(ada.token, content, 'main.ipynb');
  const { id: projectId, default_file_id } = await app.project(ada.token, { upload_id: upload });
  const fileId = default_file_id ?? '';
  const grant = async (permissions: (typeof projectGrants.$inferInsert)['permissions']) => {
    const person = await app.person();
    const createdAt = new Date(app.clock.time);
    await app.database.db.insert(projectGrants).values({ projectId, userId: person.id, permissions, createdAt });
    return person;
  };
  return { app, ada, projectId, fileId, grant, ...(await open(app, ada.token, projectId, fileId)) };
}

export const refused = (work: Promise<unknown>) =>
  work.then(
    (answer) => ({ answer }),
    (error: unknown) => (error instanceof JoinRefused ? error.response : Promise.reject(error)),
  );

export const idle = async (topic: JoinedTopic, count: number) =>
  expect
    .poll(() => topic.events.flatMap(({ payload }) => (payload.removed_ids as string[] | undefined) ?? []).length)
    .toBeGreaterThanOrEqual(count);
