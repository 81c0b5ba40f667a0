import type { Readable } from 'node:stream';
import { baseName, rawContract } from '@atoll/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readBlob } from '../../platform/blobs.ts';
import { AppError } from '../../platform/errors.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { attachment, sendBytes } from '../../platform/http/ranges.ts';
import { readAddress, readFields } from '../../platform/http/read-request.ts';
import { sandboxHeaders } from '../../platform/http/security-headers.ts';
import { findPublishedContent } from '../publications/service/contents.ts';
import { archiveProject } from './service/archive.ts';
import { findContent } from './service/versions.ts';

/** Types a browser may show; everything else is saved, so that nothing of a user's runs as ours. */
const shownTypes = new Set([
  'text/plain',
  'text/csv',
  'text/html',
  'text/markdown',
  'application/json',
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/apng',
  'image/avif',
  'image/svg+xml',
  'video/mp4',
]);

const typeByExtension: Record<string, string> = {
  html: 'text/html',
  htm: 'text/html',
  md: 'text/markdown',
  json: 'application/json',
  mp4: 'video/mp4',
};

function shownType(name: string, mimeType: string): string {
  const extension = name.split('.').at(-1)?.toLowerCase() ?? '';
  const type = typeByExtension[extension] ?? mimeType;
  return shownTypes.has(type) ? type : 'application/octet-stream';
}

/** An opaque origin even when opened by itself: scripts in it reach neither cookies nor the API as the reader. */
const sandbox =
  "sandbox allow-scripts; default-src 'self' 'unsafe-inline' data: blob:; connect-src 'none'; form-action 'none'";

const contentsQuery = z.object({
  publication_id: z.uuid().optional(),
  version_id: z.uuid().optional(),
  download: z.string().max(10).optional(),
});

const exportBody = z.strictObject({ paths: z.array(z.string().max(1_000)).max(1_000).default([]) });

const sendArchive = (reply: FastifyReply, { name, stream }: { name: string; stream: Readable }) =>
  reply.headers({ 'content-type': 'application/zip', 'content-disposition': attachment(`${name}.zip`) }).send(stream);

/** As a page of its own, people's HTML would stand under the product's address. */
const isFramedByApp = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-dest'] === 'iframe' && headers['sec-fetch-site'] === 'same-origin';

export const fileRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.files.contents,
    async handle(ctx, request, reply) {
      const { id, fileId } = readAddress(z.object({ id: z.uuid(), fileId: z.uuid() }), request.params);
      const query = readAddress(contentsQuery, request.query);
      const versionId = query.version_id ?? null;
      const { file, blob, size } = query.publication_id
        ? await findPublishedContent(ctx, query.publication_id, { projectId: id, fileId }, versionId)
        : await findContent(ctx, id, fileId, versionId);
      const name = baseName(file.path);
      const type = shownType(name, file.mimeType);
      const isSaved = query.download !== undefined || type === 'application/octet-stream' || !isFramedByApp(request);
      // Chromium does not show a PDF inside a sandbox; it runs no script of ours there either way.
      const policy =
        type === 'application/pdf' ? "default-src 'none'; object-src 'self'; plugin-types application/pdf" : sandbox;
      reply.headers({
        'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
        ...sandboxHeaders(policy),
        // A version being written changes in place, so even one version is asked for anew.
        'cache-control': 'private, no-cache',
        ...(isSaved ? { 'content-disposition': attachment(name) } : {}),
      });
      const read = (range?: { start: number; end: number }) => readBlob(ctx, blob, range);
      // Chromium keeps the headers of an answer with its tag, and would save what a frame shows.
      return sendBytes(request, reply, { size, etag: isSaved ? blob : `${blob}-shown`, read });
    },
  },
  {
    endpoint: rawContract.files.archive,
    async handle(ctx, request, reply) {
      const { id } = readAddress(z.object({ id: z.uuid() }), request.params);
      const paths = new URL(request.url, 'http://localhost').searchParams.getAll('paths[]');
      if (paths.length > 1_000) throw new AppError('unprocessable_entity', 'At most 1,000 paths at once.');
      return sendArchive(reply, await archiveProject(ctx, id, paths));
    },
  },
  {
    endpoint: rawContract.files.export,
    async handle(ctx, request, reply) {
      const { id } = readAddress(z.object({ id: z.uuid() }), request.params);
      const { paths } = readFields(exportBody, request.body ?? {});
      return sendArchive(reply, await archiveProject(ctx, id, paths));
    },
  },
];
