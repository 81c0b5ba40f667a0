import type { PublicationPayload, RemotePicture } from '@atoll/contract';
import type { KeptPicture, KeptPictures } from '@atoll/notebook/kept-pictures';
import { eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { fetchOutside } from '../../../platform/outside/fetch.ts';
import { PrivateAddress } from '../../../platform/outside/post.ts';
import type { PublicationKind } from '../../../platform/publication-kind.ts';
import { publications, publicationVersions } from '../table.ts';

const most = { pictures: 60, bytes: 4 * 1024 ** 2, bytesOfAll: 8 * 1024 ** 2, timeMs: 8_000, timeOfAllMs: 25_000 };
const mostRedirects = 3;
const atOnce = 6;

/** Pictures that the newest content shows from other servers, and what the published version keeps of them. */
export async function remotePicturesOf(
  ctx: Context,
  kind: PublicationKind<Context>,
  blob: string,
  fileId: string,
): Promise<RemotePicture[]> {
  if (!kind.pictures) return [];
  const [row] = await ctx.db
    .select({ payload: publications.payload, source: publicationVersions.sourceBlob })
    .from(publications)
    .leftJoin(publicationVersions, eq(publicationVersions.id, publications.versionId))
    .where(eq(publications.fileId, fileId));
  const { addresses } = await kind.pictures.read(ctx, blob, row?.payload);
  const kept = row?.source
    ? (await kind.pictures.read(ctx, row.source, row.payload)).kept
    : new Map<string, KeptPicture>();
  return addresses.map((address) => {
    const known = kept.get(address);
    return {
      address,
      is_kept: known !== undefined && 'url' in known,
      problem: known && 'problem' in known ? known.problem : null,
    };
  });
}

/** The content with the pictures of other servers that its author wants to keep; those that are kept are not fetched again. */
export async function withPictures(
  ctx: Context,
  kind: PublicationKind<Context>,
  blob: string,
  payload: PublicationPayload,
): Promise<string> {
  if (!kind.pictures) return blob;
  const { addresses, kept } = await kind.pictures.read(ctx, blob, payload);
  if (!payload.keeps_pictures) return kept.size > 0 ? kind.pictures.write(ctx, blob, {}) : blob;
  if (addresses.length === 0) return blob;
  const pictures = await fetchAll(ctx, addresses, kept);
  return kind.pictures.write(ctx, blob, pictures);
}

async function fetchAll(
  ctx: Context,
  addresses: readonly string[],
  kept: ReadonlyMap<string, KeptPicture>,
): Promise<KeptPictures> {
  const found = new Map<string, KeptPicture>();
  const signal = AbortSignal.timeout(most.timeOfAllMs);
  let left = most.bytesOfAll;
  const waiting = [...addresses.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, address] = next;
      const known = kept.get(address);
      let picture: KeptPicture =
        known && 'url' in known
          ? known
          : index < most.pictures
            ? await fetchPicture(ctx, address, signal)
            : { problem: `There are more than ${most.pictures} pictures.` };
      if ('url' in picture) {
        if (picture.url.length > left) picture = { problem: 'All pictures together are larger than 8 MB.' };
        else left -= picture.url.length;
      }
      found.set(address, picture);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  // In the order of the text: the same pictures are the same version.
  return Object.fromEntries(addresses.map((address) => [address, found.get(address) ?? { problem: notReached }]));
}

const notReached = 'Its server could not be reached.';

async function fetchPicture(ctx: Context, address: string, ofAll: AbortSignal): Promise<KeptPicture> {
  const signal = AbortSignal.any([ofAll, AbortSignal.timeout(most.timeMs)]);
  try {
    const answer = await follow(ctx, address, signal);
    if (!answer.ok) return { problem: `Its server answered with ${answer.status}.` };
    const bytes = await limitedBytes(answer);
    if (!bytes) return { problem: 'It is larger than 4 MB.' };
    const type = pictureType(bytes);
    return type
      ? { url: `data:${type};base64,${bytes.toString('base64')}` }
      : { problem: 'What its server sent is no picture.' };
  } catch (error) {
    if (signal.aborted) return { problem: 'Its server did not answer in time.' };
    return { problem: error instanceof PrivateAddress ? 'Its address is in a private network.' : notReached };
  }
}

/** Each place it leads to is looked up and refused like the first. */
async function follow(ctx: Context, address: string, signal: AbortSignal): Promise<Response> {
  const { privateHosts } = ctx.config.outside;
  let url = new URL(address);
  for (let redirects = 0; ; redirects++) {
    if (!/^https?:$/.test(url.protocol)) throw new Error('It leads to something else');
    const answer = await fetchOutside(url, { headers: { accept: 'image/*' }, signal }, privateHosts);
    const location = answer.headers.get('location');
    if (answer.status < 300 || answer.status >= 400 || !location || redirects === mostRedirects) return answer;
    await answer.body?.cancel();
    url = new URL(location, url);
  }
}

/** Null for what is too large; the rest of it is not read. */
async function limitedBytes({ body }: Response): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > most.bytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** By what is in it, whatever its server calls it. A drawing runs nothing where it is shown as a picture. */
function pictureType(bytes: Buffer): string | null {
  const head = bytes.subarray(0, 12).toString('latin1');
  if (head.startsWith('\u0089PNG\r\n')) return 'image/png';
  if (head.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(head)) return 'image/gif';
  if (/^RIFF.{4}WEBP/s.test(head)) return 'image/webp';
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*>\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/i.test(
    bytes.subarray(0, 2_000).toString(),
  )
    ? 'image/svg+xml'
    : null;
}
