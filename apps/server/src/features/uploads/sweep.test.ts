import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createTestApp } from '../../test/test-app.ts';
import { sweepFiles } from '../files/service/files.ts';
import { fileVersions } from '../files/table.ts';
import { sweepProjects } from '../projects/service/write.ts';
import { sweepAssets, sweepBlobs, sweepStorage } from './service/sweep.ts';

const day = 24 * 60 * 60_000;
const picture = () =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: '#abc' } })
    .png()
    .toBuffer();

async function setUp() {
  const app = await createTestApp();
  const { token } = await app.person('ada');
  const { blobs } = app.ctx;
  const listed = async () => {
    const all = { kept: [] as string[], aside: [] as string[] };
    for await (const { sha256, isAside } of blobs.list()) all[isAside ? 'aside' : 'kept'].push(sha256);
    return all;
  };
  /** The store keeps real time, so the test makes its files older instead of waiting. */
  const age = async (ms: number) => {
    app.clock.time = Date.now();
    const then = new Date(Date.now() - ms);
    const folder = join(app.config.dataFolder, 'blobs');
    for (const name of await readdir(folder, { recursive: true }))
      if (/[0-9a-f]{64}$/.test(name)) await utimes(join(folder, name), then, then);
  };
  const put = async (content: string) => (await blobs.put(Readable.from([Buffer.from(content)]), 1_000)).sha256;
  return { ...app, token, blobs, listed, age, put };
}

describe('blobs nobody refers to', () => {
  test('are set aside after a day and deleted after another', async () => {
    const { put, age, ctx, listed } = await setUp();
    const blob = await put('orphan');
    await age(day - 60_000);
    await sweepBlobs(ctx);
    expect(await listed()).toEqual({ kept: [blob], aside: [] });
    await age(day + 60_000);
    await sweepBlobs(ctx);
    expect(await listed()).toEqual({ kept: [], aside: [blob] });
    await sweepBlobs(ctx);
    expect(await listed()).toEqual({ kept: [], aside: [blob] });
    await age(day + 60_000);
    await sweepBlobs(ctx);
    expect(await listed()).toEqual({ kept: [], aside: [] });
  });

  test('every kind of row keeps its own', async () => {
    const { ctx, age, listed, token, patch, post, createFile, upload, project, put } = await setUp();
    const { id } = await project(token);
    const made = await createFile(token, id, 'a.txt', 'first version');
    await patch(token, `/v1/notebooks/${id}/files-contents/${made.body.id}`, {
      upload_id: await upload(token, 'second version'),
      version_name: 'second',
    });
    await patch(token, '/v1/settings', { avatar_upload_id: await upload(token, await picture(), 'a.png') });
    for (const name of ['thumbnail', 'showcase_media'])
      await post(token, `/v1/notebooks/${id}/${name}`, { upload_id: await upload(token, await picture(), 'a.png') });
    const before = (await listed()).kept.sort();
    await put('orphan');
    await age(2 * day);
    await sweepAssets(ctx);
    await sweepBlobs(ctx);
    expect((await listed()).kept.sort()).toEqual(before);
  });

  test('a row that appears in the moment of setting aside still finds its content, and gets it back', async () => {
    const { ctx, put, age, listed, token, project, database, call, createFile, blobs } = await setUp();
    const { id } = await project(token);
    const file = await createFile(token, id, 'a.txt', 'other');
    const blob = await put('the same again');
    await age(2 * day);
    // Told that it is stored, somebody is about to refer to it; the sweep has already found that nobody does.
    expect(await put('the same again')).toBe(blob);
    await blobs.setAside(blob);
    await database.db.execute(sql`update files set blob = ${blob}, size = 14 where id = ${file.body.id}`);
    await age(2 * day);
    await sweepBlobs(ctx);
    expect((await listed()).kept).toContain(blob);
    await blobs.setAside(blob);
    expect((await call<string>('GET', file.body.content_url, { token })).body).toBe('the same again');
  });

  test('content put while the sweep runs is there afterwards', async () => {
    const { ctx, put, age, blobs } = await setUp();
    for (let round = 0; round < 10; round++) {
      const blob = await put('busy');
      await age(2 * day);
      await Promise.all([sweepBlobs(ctx), put('busy'), sweepBlobs(ctx), put('busy')]);
      const content = await blobs.get(blob);
      expect(content && (await text(content))).toBe('busy');
    }
  });

  test('files go with the bin after 30 days, and with them all their versions', async () => {
    const { ctx, age, listed, token, call, patch, createFile, upload, project, clock, database } = await setUp();
    const { id } = await project(token);
    const made = await createFile(token, id, 'a.txt', 'one');
    await patch(token, `/v1/notebooks/${id}/files-contents/${made.body.id}`, {
      upload_id: await upload(token, 'two'),
      version_name: 'two',
    });
    await call('DELETE', `/v1/notebooks/${id}/files/${made.body.id}`, { token });
    await sweepFiles(ctx);
    expect(await database.db.select().from(fileVersions)).toHaveLength(2);
    clock.advance(31 * day);
    await sweepFiles(ctx);
    await sweepStorage(ctx);
    expect(await database.db.select().from(fileVersions)).toHaveLength(0);
    await age(2 * day);
    await sweepBlobs(ctx);
    expect(await listed()).toMatchObject({ kept: [], aside: [expect.any(String), expect.any(String)] });
  });
});

test('parts nobody has continued for a day go, and so do their uploads', async () => {
  const { ctx, token, call, config, clock } = await setUp();
  const put = async () => {
    const slot = await call<{ upload_id: string }>('POST', '/v1/upload', { token, body: { client_name: 'x' } });
    const headers = { 'content-type': 'application/octet-stream', 'content-range': 'bytes 0-4/11' };
    await call('PUT', `/v1/upload/${slot.body.upload_id}`, { token, body: 'hello', headers });
    return slot.body.upload_id;
  };
  clock.time = Date.now();
  const [stale, fresh] = [await put(), await put()];
  const folder = join(config.dataFolder, 'uploads');
  const then = new Date(Date.now() - 2 * day);
  await utimes(join(folder, stale), then, then);
  await sweepStorage(ctx);
  expect(await readdir(folder)).toEqual([fresh]);
  // What a killed server left half-way to the store.
  const incoming = join(config.dataFolder, 'blobs', 'incoming');
  await mkdir(incoming, { recursive: true });
  for (const name of ['old', 'new']) await writeFile(join(incoming, name), 'half');
  await utimes(join(incoming, 'old'), then, then);
  await sweepStorage(ctx);
  expect(await readdir(incoming)).toEqual(['new']);
  clock.advance(day + 60_000);
  await sweepStorage(ctx);
  expect((await call('GET', `/v1/upload/${fresh}`, { token })).status).toBe(404);
});

describe('a public picture', () => {
  test('is no longer to be had once it is removed or replaced', async () => {
    const { call, token, upload } = await setUp();
    const set = async (avatar_upload_id: string | null) =>
      (await call<{ avatar: string | null }>('PATCH', '/v1/settings', { token, body: { avatar_upload_id } })).body
        .avatar;
    const first = (await set(await upload(token, await picture(), 'a.png'))) ?? '';
    expect((await call('GET', first)).status).toBe(200);
    const second = (await set(await upload(token, await picture(), 'b.png'))) ?? '';
    expect((await call('GET', first)).status).toBe(404);
    expect((await call('GET', second)).status).toBe(200);
    await set(null);
    expect((await call('GET', second)).status).toBe(404);
  });

  test('a copy of a project has a thumbnail of its own', async () => {
    const { call, post, token, upload, project } = await setUp();
    const { id } = await project(token);
    await post(token, `/v1/notebooks/${id}/thumbnail`, { upload_id: await upload(token, await picture(), 'a.png') });
    const clone = await call<{ thumbnail: string }>('POST', `/v1/notebooks/${id}/clone`, { token });
    await call('DELETE', `/v1/notebooks/${id}/thumbnail`, { token });
    expect((await call('GET', clone.body.thumbnail)).status).toBe(200);
  });

  test('goes with the project that showed it; the theme keeps its own', async () => {
    const { call, post, patch, token, upload, project, clock, ctx, admin } = await setUp();
    const { id } = await project(token);
    const shown = await post<{ showcase_media: { url: string }[] }>(token, `/v1/notebooks/${id}/showcase_media`, {
      upload_id: await upload(token, await picture(), 'a.png'),
    });
    const url = shown.body.showcase_media[0]?.url ?? '';
    const boss = await admin();
    const theme = await patch<{ logo: string }>(boss.token, '/v1/admin/theme', {
      update: {},
      upload_ids: { logo: await upload(boss.token, await picture(), 'l.png') },
    });
    await call('DELETE', `/v1/notebooks/${id}`, { token });
    clock.advance(31 * day);
    await sweepProjects(ctx);
    await sweepAssets(ctx);
    expect((await call('GET', url)).status).toBe(404);
    expect((await call('GET', theme.body.logo)).status).toBe(200);
  });
});
