import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { cleanPath, collisionKey, isNoise, pathProblem, uploadLimits } from '@atoll/contract';
import { BlobTooLarge } from '@atoll/storage';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { Context } from '../../../platform/context.ts';
import { AppError, invalidField } from '../../../platform/errors.ts';
import type { NewFile } from './store.ts';

/** Bounds of an imported zip: an honest project is far below them, a bomb far above. */
export const zipLimits = { entries: 10_000, totalBytes: 1024 ** 3, ratio: 200 };

const refuse = (message: string) => new AppError('unprocessable_entity', message, { fields: { upload_id: [message] } });

/** Stores every file of a zip as a blob. Links, devices, paths that lead elsewhere and bombs are refused. */
export async function unpackZip(ctx: Context, blob: string): Promise<NewFile[]> {
  const content = await ctx.blobs.get(blob);
  if (!content) throw invalidField('upload_id', 'Is not a finished upload of yours');
  const folder = await mkdtemp(join(tmpdir(), 'import-'));
  try {
    // A zip is read from its end, so it has to be a file for a moment.
    const path = join(folder, 'import.zip');
    await pipeline(content, createWriteStream(path));
    const zip = await openPromise(path, { autoClose: false, strictFileNames: true, validateEntrySizes: true }).catch(
      () => {
        throw refuse('This is not a zip file that can be read');
      },
    );
    try {
      return await unpackEntries(ctx, zip);
    } finally {
      zip.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function unpackEntries(ctx: Context, zip: ZipFile): Promise<NewFile[]> {
  if (zip.entryCount > zipLimits.entries) throw refuse(`The zip has more than ${zipLimits.entries} entries`);
  const found: { path: string; entry: Entry }[] = [];
  let total = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/') || isNoise(entry.fileName)) continue;
      const path = cleanPath(entry.fileName);
      const problem = pathProblem(path);
      if (problem) throw refuse(`The name ${JSON.stringify(entry.fileName.slice(0, 100))} cannot be used: ${problem}`);
      if (isLink(entry)) throw refuse(`${path} is a symbolic link; links are not supported`);
      if (entry.isEncrypted()) throw refuse('The zip is protected with a password');
      total += entry.uncompressedSize;
      const isBomb =
        entry.uncompressedSize > 1024 ** 2 && entry.uncompressedSize > entry.compressedSize * zipLimits.ratio;
      if (total > zipLimits.totalBytes || isBomb) throw refuse('The zip is too large when unpacked');
      found.push({ path, entry });
    }
  } catch (error) {
    throw error instanceof AppError ? error : refuse('The zip is damaged or has paths that lead outside it');
  }
  const keys = new Set(found.map(({ path }) => collisionKey(path)));
  if (keys.size !== found.length) throw refuse('The zip has two files whose names differ by case only');
  const strip = commonFolder(found.map(({ path }) => path));
  const files: NewFile[] = [];
  for (const { path, entry } of found) {
    const stream = await zip.openReadStreamPromise(entry);
    const stored = await ctx.blobs.put(stream, uploadLimits.file).catch((error: unknown) => {
      throw error instanceof BlobTooLarge
        ? refuse(`${path} is larger than 100 MB`)
        : refuse(`${path} cannot be unpacked`);
    });
    files.push({ path: path.slice(strip.length), blob: stored.sha256, size: stored.size });
  }
  return files;
}

/** The Unix file type is in the upper half of the external attributes: 0xA000 is a link, others are devices. */
function isLink(entry: Entry): boolean {
  const type = (entry.externalFileAttributes >>> 16) & 0xf000;
  return type !== 0 && type !== 0x8000;
}

/** Many zips hold one folder that holds everything; the project does not need it. */
function commonFolder(paths: string[]): string {
  const first = paths[0]?.split('/')[0];
  if (!first || !paths.every((path) => path.startsWith(`${first}/`))) return '';
  return `${first}/`;
}
