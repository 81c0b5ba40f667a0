import type { Firing, Schedule } from '@atoll/contract';
import { expect } from 'vitest';
import type { TestApp } from '../../test/test-app.ts';
import { runs } from '../runs/table.ts';

export const hour = 3_600_000;
const code = (source: string) => ({
  cell_type: 'code',
  id: 'a',
  metadata: {},
  execution_count: null,
  outputs: [],
  source,
});
const notebook = (source: string) =>
  JSON.stringify({ cells: [code(source)], metadata: {}, nbformat: 4, nbformat_minor: 5 });

export interface Answer {
  schedule: Schedule;
}
export interface List<Entry> {
  entries: Entry[];
  total: number;
}

export async function projectOf(app: TestApp, token: string, source = 'print("hello")') {
  const project = await app.project(token, { upload_id: await app.upload(token, notebook(source), 'main.ipynb') });
  return { id: project.id, fileId: project.default_file_id ?? '' };
}
type Place = Awaited<ReturnType<typeof projectOf>>;

export const change = (app: TestApp, token: string | null, { id, fileId }: Place, schedule: object) =>
  app.call<Answer>('PATCH', `/v1/notebooks/${id}/files/${fileId}/schedule`, { token, body: { schedule } });
export const hourly = (app: TestApp, more: object = {}) => ({
  starts_at: new Date(app.clock.time + hour).toISOString(),
  ...more,
});
export const firings = async (app: TestApp, token: string, { id }: { id: string }) =>
  (await app.call<List<Firing>>('GET', `/v1/schedules/${id}/firings`, { token, query: { page_size: '100' } })).body;
export const get = async (app: TestApp, token: string, { id, fileId }: Place) =>
  (await app.call<Answer>('GET', `/v1/notebooks/${id}/files/${fileId}/schedule`, { token })).body.schedule;

/** Until all that is due has been started, and has ended. */
export async function settled(app: TestApp): Promise<void> {
  await app.app.jobs.settled();
  await expect
    .poll(async () => (await app.database.db.select().from(runs)).filter(({ endedAt }) => endedAt === null))
    .toEqual([]);
  await app.app.relay.settled();
  await app.app.jobs.settled();
}
