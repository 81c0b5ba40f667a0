import { Readable } from 'node:stream';
import type { StrategyDescription, StrategyTestDetail, StrategyTestView } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, expect } from 'vitest';
import { files } from '../../features/files/table.ts';
import { newId } from '../../platform/db/columns.ts';
import { createTestApp, type TestApp } from '../test-app.ts';

/** People who write strategies. */

export let app: TestApp;

type Answer<Body> = Body & { message: string; fields: Record<string, string[]> };

export interface Author {
  id: string;
  token: string;
  projectId: string;
  strategyId: string;
}

export async function author(project: object = { kind: 'strategy', create_main_file: true }): Promise<Author> {
  const { id, token } = await app.person();
  const made = await app.project(token, project);
  return { id, token, projectId: made.id, strategyId: made.default_file_id ?? '' };
}

/** Another text in a file of the project, as if it had been saved. */
export async function write({ projectId }: Author, path: string, text: string): Promise<void> {
  const ctx = app.app.system();
  const { sha256, size } = await ctx.blobs.put(Readable.from([Buffer.from(text)]), 1_000_000);
  const found = await ctx.db.select().from(files).where(eq(files.projectId, projectId));
  const [file] = found;
  if (!file) throw new Error('There is no file');
  const before = found.find((each) => each.path === path);
  if (before) await ctx.db.update(files).set({ blob: sha256, size }).where(eq(files.id, before.id));
  else await ctx.db.insert(files).values({ ...file, id: newId(), path, pathKey: path, blob: sha256, size });
}

/** A month of hours, which takes a moment. */
export const month = { from: '2026-03-01', to: '2026-04-30', uses_finer_bars: false };

export const start = ({ token, strategyId }: Author, body: object = {}) =>
  app.post<Answer<StrategyTestView>>(token, `/v1/strategies/${strategyId}/backtests`, {
    request_id: newId(),
    settings: month,
    ...body,
  });
export const get = async ({ token, strategyId }: Pick<Author, 'token' | 'strategyId'>, id: string) =>
  (await app.call<StrategyTestDetail>('GET', `/v1/strategies/${strategyId}/backtests/${id}`, { token })).body;

export async function ended(who: Author, id: string): Promise<StrategyTestDetail> {
  await expect.poll(async () => (await get(who, id)).state).not.toMatch(/queued|running/);
  return get(who, id);
}
export const tested = async (who: Author, body: object = {}) => {
  const { body: begun, status } = await start(who, body);
  expect(status, begun.message).toBe(200);
  return ended(who, begun.id);
};
export async function verificationOf(who: Author, id: string) {
  const read = async () => (await get(who, id)).verification;
  await expect.poll(async () => (await read())?.state ?? 'queued').not.toMatch(/queued|running/);
  return read();
}
export const described = async ({ token, strategyId }: Author) =>
  (await app.call<StrategyDescription>('GET', `/v1/strategies/${strategyId}`, { token })).body;

export const strategyOf = (body: string, more = '') => `export default strategy({
  ${more}
  start({ market, markets, log, weights }, p) {
    return { onBar() { ${body} } };
  },
});`;

export function useAuthors(): void {
  beforeAll(async () => {
    app = await createTestApp({ keepOpen: true });
    return () => app.close();
  });
}
