import { Readable } from 'node:stream';
import type { Artifact, Run } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { createSharedApp } from '../../test/test-app.ts';
import { storeWritten } from '../files/service/written.ts';
import { runs } from '../runs/table.ts';

const app = await createSharedApp();

interface List {
  entries: Artifact[];
  total: number;
}

async function project() {
  const ada = await app.person();
  const { id } = await app.project(ada.token, { create_main_file: true });
  const url = `/v1/notebooks/${id}/artifacts`;
  const list = async (query: Record<string, string> = {}) =>
    (await app.call<List>('GET', url, { token: ada.token, query })).body;
  /** Runs the main file, which in its kernel wrote these. */
  const run = async (written: Record<string, string>) => {
    const { body } = await app.call<Run>('POST', `/v1/notebooks/${id}/runs`, { token: ada.token, body: {} });
    const rowOf = async () => (await app.database.db.select().from(runs).where(eq(runs.id, body.id)))[0];
    await expect.poll(async () => (await rowOf())?.endedAt).toBeTruthy();
    const saved = [];
    for (const [path, text] of Object.entries(written)) {
      const { sha256: blob } = await app.app.system().blobs.put(Readable.from([Buffer.from(text)]), 1_000);
      saved.push({ path, blob, size: text.length });
    }
    const { sessionId } = (await rowOf()) ?? {};
    await storeWritten(app.app.system(), id, ada.id, { saved, deleted: [] }, sessionId ?? '');
    return body;
  };
  return { ada, id, url, list, run };
}

test('what each run wrote is listed and downloaded as that run left it', async () => {
  const { ada, url, list, run } = await project();
  const first = await run({ 'out.html': '<script>1</script>' });
  const second = await run({ 'out.html': 'two', 'more.txt': 'm' });
  const all = await list();
  expect(all.total).toBe(3);
  expect(all.entries.map((each) => [each.run?.number, each.file.name, each.size]).sort()).toEqual([
    [first.number, 'out.html', 18],
    [second.number, 'more.txt', 1],
    [second.number, 'out.html', 3],
  ]);
  const { entries } = await list({ run_id: first.id });
  expect(entries).toHaveLength(1);
  expect((await list({ file_id: entries[0]?.file.id ?? '' })).total).toBe(2);
  const bytes = await app.call<string>('GET', `${url}/${entries[0]?.id}/download`, { token: ada.token });
  expect(String(bytes.body)).toBe('<script>1</script>');
  expect(bytes.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringContaining('attachment'),
    'content-security-policy': expect.stringContaining('sandbox'),
  });
});

test('what is written again by the same kernel is one artifact, its newest', async () => {
  const { list, run, id, ada } = await project();
  const { id: runId } = await run({ 'out.txt': 'one' });
  const [row] = await app.database.db.select().from(runs).where(eq(runs.id, runId));
  const { sha256: blob } = await app.app.system().blobs.put(Readable.from([Buffer.from('again')]), 1_000);
  const saved = [{ path: 'out.txt', blob, size: 5 }];
  await storeWritten(app.app.system(), id, ada.id, { saved, deleted: [] }, row?.sessionId ?? '');
  expect((await list()).entries.map(({ size }) => size)).toEqual([5]);
});

test('is deleted by those who may edit the project; the file stays', async () => {
  const { ada, id, url, list, run } = await project();
  await run({ 'out.txt': 'one' });
  const [artifact] = (await list()).entries;
  const remove = (token: string) => app.call('DELETE', `${url}/${artifact?.id}`, { token });
  const eve = await app.person();
  expect((await remove(eve.token)).status).toBe(404);
  await app.share(ada.token, id, eve.id, ['view_source', 'view_history']);
  expect((await remove(eve.token)).status).toBe(403);
  const other = await project();
  const elsewhere = `${other.url}/${artifact?.id}`;
  expect((await app.call('DELETE', elsewhere, { token: other.ada.token })).status).toBe(404);
  expect((await remove(ada.token)).status).toBe(200);
  expect((await remove(ada.token)).status).toBe(404);
  expect((await list()).total).toBe(0);
  const tree = await app.get<{ files: { name: string }[] }>(ada.token, `/v1/notebooks/${id}/files-dirs`);
  expect(tree.body.files.map(({ name }) => name)).toContain('out.txt');
});

test('it takes the right to see the history of the project it is in', async () => {
  const { ada, id, url, list, run } = await project();
  await run({ 'out.txt': 'one' });
  const [artifact] = (await list()).entries;
  const download = `${url}/${artifact?.id}/download`;
  const eve = await app.person();
  for (const path of [url, download]) expect((await app.call('GET', path, { token: eve.token })).status).toBe(404);
  await app.share(ada.token, id, eve.id, ['view']);
  for (const path of [url, download]) expect((await app.call('GET', path, { token: eve.token })).status).toBe(403);
  const other = await project();
  const elsewhere = `${other.url}/${artifact?.id}/download`;
  expect((await app.call('GET', elsewhere, { token: other.ada.token })).status).toBe(404);
  expect((await app.call('GET', `${url}/x/download`, { token: ada.token })).status).toBe(404);
  expect((await app.call('GET', url, { token: ada.token, query: { run_id: 'x' } })).status).toBe(422);
  expect((await list({ run_id: newId() })).total).toBe(0);
});
