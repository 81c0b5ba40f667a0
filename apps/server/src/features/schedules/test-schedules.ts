import type { Firing, Schedule } from '@atoll/contract';
import { expect } from 'vitest';
import { code } from '../../test/set-ups/notebooks.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { runs } from '../runs/table.ts';

export const hour = 3_600_000;

export interface Answer {
  schedule: Schedule;
}
export interface List<Entry> {
  entries: Entry[];
  total: number;
}

export async function projectOf(app: TestApp, token: string, source = 'print("hello")') {
  const { id, fileId } = await app.notebookProject(token, [code(source, 'a')]);
  return { id, fileId };
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

/** A notebook of Ada's that runs each hour. */
export async function hourlyNotebook(source?: string, more?: object) {
  const app = await createTestApp();
  const ada = await app.person();
  const place = await projectOf(app, ada.token, source);
  const { schedule } = (await change(app, ada.token, place, hourly(app, more))).body;
  return { app, ada, place, schedule };
}

/** Until all that is due has been started, and has ended. */
export async function settled(app: TestApp): Promise<void> {
  await app.app.jobs.settled();
  await expect
    .poll(async () => (await app.db.select().from(runs)).filter(({ endedAt }) => endedAt === null))
    .toEqual([]);
  await app.settled();
}
export async function later(app: TestApp, ms: number): Promise<void> {
  app.clock.advance(ms);
  await settled(app);
}
