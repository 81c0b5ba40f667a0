import { createHash } from 'node:crypto';
import type { ProjectDetail, ProjectFile } from '@atoll/contract';
import type { S3Options } from '@atoll/storage';
import { startS3 } from '@atoll/storage/s3-test-server';
import { expect, onTestFinished, test } from 'vitest';
import { fromBuffer } from 'yauzl';
import { createTestApp } from './test-app.ts';

const environmentOf = (options: S3Options) => ({
  S3_ENDPOINT: options.endpoint,
  S3_BUCKET: options.bucket,
  S3_REGION: options.region,
  S3_ACCESS_KEY_ID: options.accessKeyId,
  S3_SECRET_ACCESS_KEY: options.secretAccessKey,
});

test('a project lives in an object store: upload, save, read in parts, download, copy', async () => {
  const { options, stop } = await startS3();
  onTestFinished(stop);
  const { call, person, project, upload, app } = await createTestApp({ env: environmentOf(options) });
  const { token } = await person();
  const { id } = await project(token);
  const file = await call<ProjectFile>('POST', `/v1/notebooks/${id}/files-contents`, {
    token,
    body: { name: 'data/a.csv', upload_id: await upload(token, 'a,b\n1,2\n', 'a.csv') },
  });
  expect((await call<string>('GET', file.body.content_url, { token })).body).toBe('a,b\n1,2\n');
  const saved = await call<ProjectFile>('PATCH', `/v1/notebooks/${id}/files-contents/${file.body.id}`, {
    token,
    body: { upload_id: await upload(token, 'a,b\n3,4\n'), base_version: 1 },
  });
  expect(saved.body.version).toBe(2);
  const part = await call<string>('GET', file.body.content_url, { token, headers: { range: 'bytes=4-6' } });
  expect(part).toMatchObject({ status: 206, body: '3,4' });
  expect(part.headers).toMatchObject({ 'content-range': 'bytes 4-6/8', 'content-length': '3' });

  const archive = await app.http.inject({
    url: `/api/atoll/v1/notebooks/${id}/archive`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await namesIn(archive.rawPayload)).toEqual(['data/', 'data/a.csv']);

  const clone = await call<ProjectDetail>('POST', `/v1/notebooks/${id}/clone`, { token });
  const tree = await call<{ files: ProjectFile[] }>('GET', `/v1/notebooks/${clone.body.id}/files-dirs`, { token });
  const [copy] = tree.body.files;
  expect((await call<string>('GET', copy?.content_url ?? '', { token })).body).toBe('a,b\n3,4\n');

  const { blobs } = app.system();
  let stored = 0;
  for await (const _ of blobs.list()) stored++;
  expect(stored, 'both versions, and nothing twice').toBe(2);
});

test('contents that are missing and a store that is gone are 503 in words, and nothing is changed', async () => {
  const { options, stop } = await startS3();
  const { call, person, project, upload, app } = await createTestApp({ env: environmentOf(options) });
  const { token } = await person();
  const { id } = await project(token);
  const path = `/v1/notebooks/${id}/files-contents`;
  const [kept, lost] = await Promise.all(
    ['kept', 'lost'].map(async (name) => {
      const body = { name: `${name}.csv`, upload_id: await upload(token, `a,b\n${name},2\n`, `${name}.csv`) };
      return (await call<ProjectFile>('POST', path, { token, body })).body;
    }),
  );
  const { blobs } = app.system();
  const digest = createHash('sha256').update('a,b\nlost,2\n').digest('hex');
  await blobs.setAside(digest);
  await blobs.delete(digest);
  const missing = await call('GET', lost?.content_url ?? '', { token });
  expect(missing).toMatchObject({ status: 503, body: { details: { reason: 'storage_damaged' } } });
  expect(missing.headers['content-disposition']).toBeUndefined();
  expect(missing.body).toMatchObject({ message: expect.stringContaining('restore it from a backup') });

  const late = await upload(token, 'a,b\n5,6\n');
  await stop();
  const read = await call('GET', kept?.content_url ?? '', { token });
  expect(read).toMatchObject({ status: 503, body: { details: { reason: 'storage_unavailable' } } });
  expect(read.headers['retry-after']).toBe('60');
  const saved = await call('PATCH', `${path}/${kept?.id}`, { token, body: { upload_id: late, base_version: 1 } });
  // The bytes were stored before the store was gone, so only the rows change.
  expect(saved.status).toBe(200);
  const slot = await call<{ upload_id: string }>('POST', '/v1/upload', { token, body: { client_name: 'b.csv' } });
  const sent = await app.http.inject({
    method: 'PUT',
    url: `/api/atoll/v1/upload/${slot.body.upload_id}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    payload: 'a,b\n7,8\n',
  });
  expect(sent.statusCode).toBe(503);
  expect(sent.json()).toMatchObject({ details: { reason: 'storage_unavailable' } });
});

function namesIn(zip: Buffer): Promise<string[]> {
  return new Promise((resolve, reject) => {
    fromBuffer(zip, {}, (error, file) => {
      if (error) return reject(error);
      const names: string[] = [];
      file.on('entry', (entry) => names.push(entry.fileName));
      file.on('end', () => resolve(names.sort()));
      file.on('error', reject);
    });
  });
}
