import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { uploadLimits } from '@atoll/contract';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createTestApp } from '../../test/test-app.ts';
import { contentKindOf } from './content-kind.ts';

interface Slot {
  upload_id: string;
  url: string;
  max_size: number;
}

interface Progress {
  upload_id: string;
  received: number;
  is_complete: boolean;
  size: number | null;
}

async function setUp() {
  const app = await createTestApp();
  const { token } = await app.person('ada');
  const slot = async (body: object = {}) =>
    (await app.call<Slot>('POST', '/v1/upload', { token, body: { client_name: 'a.txt', ...body } })).body;
  const put = (id: string, body: string, range?: string, as = token) =>
    app.call<Progress & { details: Record<string, unknown> }>('PUT', `/v1/upload/${id}`, {
      token: as,
      body,
      headers: { 'content-type': 'application/octet-stream', ...(range ? { 'content-range': range } : {}) },
    });
  const status = (id: string, as = token) => app.call<Progress>('GET', `/v1/upload/${id}`, { token: as });
  return { ...app, token, slot, put, status };
}

describe('an upload in parts', () => {
  test('is put together in order, and says how much has arrived', async () => {
    const { slot, put, status, project, token, call } = await setUp();
    const { upload_id: id } = await slot();
    expect((await status(id)).body).toMatchObject({ received: 0, is_complete: false });
    expect((await put(id, 'hello ', 'bytes 0-5/11')).body).toMatchObject({ received: 6, is_complete: false });
    expect((await status(id)).body).toMatchObject({ received: 6, is_complete: false });
    const last = await put(id, 'world', 'bytes 6-10/11');
    expect(last.body).toMatchObject({ received: 11, is_complete: true, size: 11 });
    expect((await status(id)).body).toMatchObject({ received: 11, is_complete: true });
    const { id: projectId } = await project(token);
    const file = await call<{ content_url: string }>('POST', `/v1/notebooks/${projectId}/files-contents`, {
      token,
      body: { name: 'a.txt', upload_id: id },
    });
    expect((await call<string>('GET', file.body.content_url, { token })).body).toBe('hello world');
  });

  test('a part at the wrong place is refused with the right one, and changes nothing', async () => {
    const { slot, put, status } = await setUp();
    const { upload_id: id } = await slot();
    await put(id, 'hello', 'bytes 0-4/11');
    for (const range of ['bytes 0-4/11', 'bytes 7-10/11'])
      expect(await put(id, 'x'.repeat(range === 'bytes 0-4/11' ? 5 : 4), range)).toMatchObject({
        status: 409,
        body: { details: { received: 5 } },
      });
    expect((await status(id)).body.received).toBe(5);
  });

  test('one that has arrived whole is finished without more bytes', async () => {
    const { slot, put, status } = await setUp();
    const { upload_id: id } = await slot();
    await put(id, 'hello', 'bytes 0-4/11');
    expect((await put(id, '', 'bytes */11')).status).toBe(409);
    expect((await put(id, '', 'bytes */5')).body).toMatchObject({ is_complete: true, size: 5 });
    expect((await put(id, '', 'bytes */5')).body.details).toMatchObject({ is_complete: true });
    expect((await status(id)).body.is_complete).toBe(true);
  });

  test('begins anew with a whole content', async () => {
    const { slot, put } = await setUp();
    const { upload_id: id } = await slot();
    await put(id, 'hello', 'bytes 0-4/11');
    expect((await put(id, 'whole')).body).toMatchObject({ is_complete: true, size: 5 });
  });

  test.each(['bytes 0-4', 'bytes 5-1/9', 'bytes 0-9/5', 'bits 0-4/5', 'bytes 0-3/11', '0-4/5', 'bytes -1-4/5'])(
    'the range %j of five bytes is refused',
    async (range) => {
      const { slot, put, status } = await setUp();
      const { upload_id: id } = await slot();
      expect((await put(id, 'hello', range)).status).toBe(400);
      expect((await status(id)).body.received).toBe(0);
    },
  );

  test('more in total than is allowed is refused at the first part, by kind', async () => {
    const { slot, put } = await setUp();
    for (const kind of ['file', 'media', 'picture'] as const) {
      const { upload_id: id, max_size } = await slot({ kind, client_name: 'a.png' });
      expect(max_size).toBe(uploadLimits[kind]);
      expect((await put(id, 'hello', `bytes 0-4/${max_size + 1}`)).status).toBe(413);
      expect((await put(id, 'hello', `bytes 0-4/${max_size}`)).status).toBe(200);
    }
  });

  test('is only for the one who asked for it', async () => {
    const { slot, put, status, person } = await setUp();
    const { upload_id: id } = await slot();
    const eve = await person();
    expect((await put(id, 'x', undefined, eve.token)).status).toBe(404);
    expect((await status(id, eve.token)).status).toBe(404);
    expect((await status(id, '')).status).toBe(401);
    expect((await put(id, 'x', undefined, '')).status).toBe(401);
  });

  test('a slot for pictures or media takes only such names', async () => {
    const { call, token } = await setUp();
    const ask = async (kind: string, client_name: string) =>
      (await call('POST', '/v1/upload', { token, body: { kind, client_name } })).body;
    expect((await ask('picture', 'film.mp4')).fields).toHaveProperty('client_name');
    expect((await ask('media', 'notes.txt')).fields).toHaveProperty('client_name');
    expect(await ask('media', 'Film.MP4')).toHaveProperty('upload_id');
    expect((await ask('planet', 'a.png')).fields).toHaveProperty('kind');
  });

  test('what is under way counts for the day', async () => {
    const { guest, call, put, slot } = await setUp();
    const visitor = await guest();
    const ask = async () =>
      (await call<Slot>('POST', '/v1/upload', { token: visitor.token, body: { client_name: 'x' } })).body.upload_id;
    const big = 50 * 1024 ** 2;
    const first = await ask();
    expect((await put(first, 'hello', `bytes 0-4/${big}`, visitor.token)).status).toBe(200);
    const second = await put(await ask(), 'hello', undefined, visitor.token);
    expect(second).toMatchObject({ status: 403, body: { details: { reason: 'usage_limit_reached' } } });
    expect((await put((await slot()).upload_id, 'hello')).status).toBe(200);
  });
});

/** Over a real connection: in memory nobody can hang up, and nobody is slow. */
async function listening() {
  const app = await setUp();
  await app.app.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.http.server.address() as AddressInfo;
  const open = (id: string, range?: string) => {
    const put = request({
      port,
      path: `/api/atoll/v1/upload/${id}`,
      method: 'PUT',
      headers: {
        authorization: `Bearer ${app.token}`,
        'content-type': 'application/octet-stream',
        ...(range ? { 'content-range': range } : {}),
      },
    });
    put.on('error', () => {});
    const answered = new Promise<number | undefined>((resolve) =>
      put.once('response', (response) => resolve(response.resume().statusCode)),
    );
    return { put, answered };
  };
  const untilReceived = async (id: string, bytes: number) => {
    while ((await app.status(id)).body.received < bytes) await new Promise(setImmediate);
  };
  return { ...app, open, untilReceived };
}

describe('a connection that is cut', () => {
  test('keeps what arrived, of a part and of a whole', async () => {
    const { slot, open, put, status, untilReceived } = await listening();
    for (const range of ['bytes 0-299999/300000', undefined]) {
      const { upload_id: id } = await slot();
      const first = open(id, range);
      first.put.write(Buffer.alloc(100_000, 'a'));
      await untilReceived(id, 100_000);
      first.put.destroy();
      const { received } = (await status(id)).body;
      const rest = 'b'.repeat(300_000 - received);
      const done = await put(id, rest, `bytes ${received}-299999/300000`);
      expect(done.body).toMatchObject({ is_complete: true, size: 300_000 });
    }
  });

  test('one that only looks alive gives way to whoever continues it; a stranger to it does not disturb', async () => {
    const { slot, open, put, untilReceived } = await listening();
    const { upload_id: id } = await slot();
    const stuck = open(id, 'bytes 0-199999/200000');
    stuck.put.write(Buffer.alloc(100_000, 'a'));
    await untilReceived(id, 100_000);
    expect((await put(id, 'aaaaa', 'bytes 0-4/200000')).body.details).toMatchObject({ received: 100_000 });
    const rest = await put(id, 'b'.repeat(100_000), 'bytes 100000-199999/200000');
    expect(rest.body).toMatchObject({ is_complete: true, size: 200_000 });
    expect(await stuck.answered).toBe(409);
    stuck.put.destroy();
  });

  test('of several writers at once one wins, and the others are told', async () => {
    const { slot, open, status } = await listening();
    const { upload_id: id } = await slot();
    const attempts = Array.from({ length: 5 }, (_, index) => {
      const attempt = open(id, 'bytes 0-99999/100000');
      attempt.put.end(Buffer.alloc(100_000, String(index)));
      return attempt.answered;
    });
    const answers = await Promise.all(attempts);
    expect(answers.filter((code) => code === 200)).toHaveLength(1);
    expect(answers.filter((code) => code === 409)).toHaveLength(4);
    expect((await status(id)).body).toMatchObject({ is_complete: true, received: 100_000 });
  });

  test('a refused content leaves no bytes behind', async () => {
    const { slot, put, config } = await listening();
    const { upload_id: id } = await slot({ kind: 'picture', client_name: 'a.png' });
    expect((await put(id, 'x'.repeat(uploadLimits.picture + 1))).status).toBe(413);
    expect(await readdir(join(config.dataFolder, 'uploads')).catch(() => [])).toEqual([]);
  });
});

describe('what a content is', () => {
  const drawing = Buffer.from('<?xml version="1.0"?>\n<!-- a map --><svg xmlns="http://www.w3.org/2000/svg"/>');
  const blank = sharp({ create: { width: 8, height: 8, channels: 3, background: '#123' } });
  const samples: Record<string, () => Promise<Buffer> | Buffer> = {
    png: () => blank.clone().png().toBuffer(),
    jpg: () => blank.clone().jpeg().toBuffer(),
    gif: () => blank.clone().gif().toBuffer(),
    webp: () => blank.clone().webp().toBuffer(),
    avif: () => blank.clone().avif().toBuffer(),
    svg: () => drawing,
    bmp: () => Buffer.concat([Buffer.from('BM'), Buffer.from([70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0])]),
    ico: () => Buffer.from([0, 0, 1, 0, 1, 0, 16, 16]),
  };

  test.each(Object.keys(samples))('a file named .%s must be one', async (extension) => {
    const { call, token, project, upload } = await setUp();
    const { id } = await project(token);
    const make = async (name: string, content: Buffer) =>
      call<{ id: string; fields: object }>('POST', `/v1/notebooks/${id}/files-contents`, {
        token,
        body: { name, upload_id: await upload(token, content) },
      });
    const content = await samples[extension]?.();
    if (!content) throw new Error('no sample');
    const made = await make(`right.${extension}`, content);
    expect(made.status).toBe(200);
    expect((await make(`empty.${extension}`, Buffer.alloc(0))).status).toBe(200);
    const other = extension === 'png' ? drawing : Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
    for (const wrong of [other, Buffer.from('MZ\0\0'), Buffer.from('<!DOCTYPE html><script>1</script>')]) {
      const refused = await make(`wrong.${extension}`, wrong);
      expect(refused.status).toBe(422);
      expect(Object.keys(refused.body.fields)).toEqual(['upload_id']);
      const saved = await call('PATCH', `/v1/notebooks/${id}/files-contents/${made.body.id}`, {
        token,
        body: { upload_id: await upload(token, wrong) },
      });
      expect(saved.status).toBe(422);
    }
  });

  test('a film is told from a picture in the same box', () => {
    const box = (brand: string, ...more: string[]) =>
      Buffer.concat([
        Buffer.from([0, 0, 0, 16 + 4 * more.length]),
        Buffer.from(`ftyp${brand}\0\0\0\0${more.join('')}`, 'latin1'),
      ]);
    expect(contentKindOf(box('isom', 'iso2', 'mp41'))).toBe('mp4');
    expect(contentKindOf(box('avif', 'mif1'))).toBe('avif');
    expect(contentKindOf(box('mif1', 'avif'))).toBe('avif');
    expect(contentKindOf(box('qt  '))).toBeNull();
    expect(contentKindOf(Buffer.from('plain text'))).toBeNull();
  });
});
