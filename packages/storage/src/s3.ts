import { openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { assertHash, type BlobStore, type ListedBlob, type StoredBlob } from './blob-store.ts';
import { spooled } from './spool.ts';
import { StorageError } from './storage-error.ts';

export interface S3Options {
  /** Address of the service; the bucket is part of the path, which every compatible service understands. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Where streams wait while they are hashed: a blob's name is known only at its end. */
  spoolFolder?: string;
  /** How many objects one answer lists; the services' own largest is 1,000. */
  pageSize?: number;
}

const kept = 'blobs/';
const aside = 'aside/';

/** Blobs as objects of an S3-compatible bucket: `blobs/abcd…`, and `aside/abcd…` for what is about to go. */
export function s3Blobs(options: S3Options): BlobStore {
  const { accessKeyId, secretAccessKey, region } = options;
  const aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 3 });
  const bucket = `${options.endpoint.replace(/\/+$/, '')}/${encodeURIComponent(options.bucket)}`;
  const spoolFolder = options.spoolFolder ?? join(tmpdir(), 'atoll-spool');

  async function call(method: string, key: string, init: RequestInit = {}, accepted: number[] = []): Promise<Response> {
    const response = await aws.fetch(`${bucket}/${key}`, { ...init, method }).catch((error: Error) => {
      throw new StorageError('unavailable', `The object store at ${options.endpoint} does not answer`, {
        cause: error,
      });
    });
    if (response.ok || accepted.includes(response.status)) return response;
    const text = await response.text();
    const reason = /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? response.statusText;
    throw new StorageError(
      response.status === 507 || /Quota|InsufficientStorage|StorageFull/i.test(reason) ? 'full' : 'unavailable',
      `The object store answered ${response.status} ${reason} to ${method} ${key || options.bucket}`,
    );
  }

  async function isThere(key: string): Promise<boolean> {
    return (await call('HEAD', key, {}, [404])).ok;
  }

  /** Here the services tell whole seconds only. */
  async function isSince(key: string, since: Date): Promise<boolean> {
    const { headers } = await call('HEAD', key, {}, [404]);
    return Date.parse(headers.get('last-modified') ?? '') === Math.floor(since.getTime() / 1_000) * 1_000;
  }

  async function store(path: string, { sha256 }: StoredBlob): Promise<void> {
    if (await isThere(kept + assertHash(sha256))) return;
    // Backed by the file: the length is known and nothing is held in memory. The service checks the hash.
    const body = await openAsBlob(path);
    await call('PUT', kept + sha256, { body, headers: { 'x-amz-content-sha256': sha256 } });
  }

  /** Answers whether there was something to move. */
  async function move(from: string, to: string): Promise<boolean> {
    const source = `/${encodeURIComponent(options.bucket)}/${from}`;
    const copied = await call('PUT', to, { headers: { 'x-amz-copy-source': source } }, [404]);
    const answer = await copied.text();
    if (!copied.ok) return false;
    // A copy that breaks half-way has begun its answer with 200.
    if (answer.includes('<Error>')) throw new StorageError('unavailable', `The object store could not copy ${from}`);
    await call('DELETE', from, {}, [404]);
    return true;
  }

  const restore = (sha256: string) => move(aside + assertHash(sha256), kept + sha256);

  async function read(sha256: string, headers: Record<string, string>): Promise<Readable | null> {
    const response = await call('GET', kept + assertHash(sha256), { headers }, [404]);
    if (response.ok && response.body) return Readable.fromWeb(response.body as ReadableStream);
    await response.body?.cancel();
    return response.ok ? Readable.from([]) : null;
  }

  return {
    put: (content, maxSize) => spooled(spoolFolder, content, maxSize, store),
    async putFile(path, blob) {
      await store(path, blob);
      await rm(path, { force: true });
    },
    async get(sha256, range) {
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      return (await read(sha256, headers)) ?? ((await restore(sha256)) ? read(sha256, headers) : null);
    },
    async *list() {
      for (const prefix of [kept, aside]) yield* listed((query) => call('GET', `?${query}`), prefix, options.pageSize);
    },
    async setAside(sha256) {
      await move(kept + assertHash(sha256), aside + sha256);
    },
    restore,
    localPath: async () => null,
    async delete(sha256, since) {
      const key = aside + assertHash(sha256);
      // A condition on the deletion itself would not help: the same bytes have the same ETag. What remains is the moment
      // between the two requests; only another server's sweep could set it aside anew in it.
      if (since && !(await isSince(key, since))) return;
      await call('DELETE', key, {}, [404]);
    },
  };
}

/** Asked for by the last key seen, which every compatible service understands. */
async function* listed(
  ask: (query: URLSearchParams) => Promise<Response>,
  prefix: string,
  pageSize = 1_000,
): AsyncIterable<ListedBlob> {
  for (let marker = '', isMore = true; isMore; ) {
    const query = new URLSearchParams({ 'max-keys': String(pageSize), prefix, marker });
    const text = await (await ask(query)).text();
    for (const [, entry = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      marker = field(entry, 'Key');
      const sha256 = marker.slice(prefix.length);
      const since = new Date(field(entry, 'LastModified'));
      if (/^[0-9a-f]{64}$/.test(sha256)) yield { sha256, since, isAside: prefix === aside };
    }
    isMore = field(text, 'IsTruncated') === 'true' && marker !== query.get('marker');
  }
}

const field = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
