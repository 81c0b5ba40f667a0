import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Contents } from './jobs.ts';

/**
 * Converted tables, one folder each: `<sha256>-<format>/`. The cache can be deleted at any time, because everything in it
 * is built again from the blobs. When it is too large, the tables unused for longest are deleted first.
 */
export class TableCache {
  readonly folder: string;
  private readonly maxBytes: number;

  constructor(folder: string, maxBytes: number) {
    this.folder = folder;
    this.maxBytes = maxBytes;
  }

  /** Deletes leftovers of a server that was killed. */
  async open(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.folder)) {
      if (/^(incoming|spill)-/.test(name)) await rm(join(this.folder, name), { recursive: true, force: true });
    }
  }

  async find(key: string): Promise<Contents | null> {
    const folder = join(this.folder, key);
    const text = await readFile(join(folder, 'contents.json'), 'utf8').catch(() => null);
    if (text === null) return null;
    const now = new Date();
    await utimes(folder, now, now).catch(() => {});
    return JSON.parse(text) as Contents;
  }

  pathOf = (key: string, name: string): string => join(this.folder, key, name);

  async incoming(): Promise<string> {
    const folder = join(this.folder, `incoming-${randomUUID()}`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  discard = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

  /** Renamed as a whole, so that a half-made table is never found. */
  async keep(folder: string, key: string): Promise<void> {
    await this.discard(join(this.folder, key));
    await rename(folder, join(this.folder, key));
    await this.sweep();
  }

  /** Copies a blob from another store into a file here. */
  async copyOf(sha256: string, read: () => Promise<Readable | null>): Promise<string | null> {
    const key = `${sha256}-source`;
    const found = await stat(this.pathOf(key, 'blob')).catch(() => null);
    if (found) return this.pathOf(key, 'blob');
    const content = await read();
    if (!content) return null;
    const folder = await this.incoming();
    try {
      await pipeline(content, createWriteStream(join(folder, 'blob'), { mode: 0o600 }));
      await this.keep(folder, key);
    } catch (error) {
      await this.discard(folder);
      throw error;
    }
    return this.pathOf(key, 'blob');
  }

  async sweep(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    const entries = await Promise.all(
      names
        .filter((name) => /^[0-9a-f]{64}-/.test(name))
        .map(async (name) => ({ name, ...(await this.measure(name)) })),
    );
    let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    const oldestFirst = entries.sort((a, b) => a.usedAt - b.usedAt);
    // The newest stays, however large, because a person is looking at it.
    for (const { name, bytes } of oldestFirst.slice(0, -1)) {
      if (total <= this.maxBytes) return;
      await this.discard(join(this.folder, name));
      total -= bytes;
    }
  }

  private async measure(name: string): Promise<{ bytes: number; usedAt: number }> {
    const folder = join(this.folder, name);
    const files = await readdir(folder).catch(() => []);
    const sizes = await Promise.all(
      files.map((file) =>
        stat(join(folder, file)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    const usedAt = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    return { bytes: sizes.reduce((sum, size) => sum + size, 0), usedAt };
  }
}
