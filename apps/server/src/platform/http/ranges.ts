import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

interface Bytes {
  size: number;
  /** Identifies exactly these bytes. */
  etag: string;
  read(range?: { start: number; end: number }): Promise<Readable>;
}

/** Sends all of the content, the requested part, or 304 when the reader has it already. */
export async function sendBytes(request: FastifyRequest, reply: FastifyReply, bytes: Bytes): Promise<FastifyReply> {
  const etag = `"${bytes.etag}"`;
  reply.headers({ etag, 'accept-ranges': 'bytes' });
  if (request.headers['if-none-match']?.split(/\s*,\s*/).includes(etag)) return reply.code(304).send();
  const range = wantedRange(request, bytes.size, etag);
  if (range === 'unsatisfiable') {
    return reply
      .code(416)
      .headers({ 'content-range': `bytes */${bytes.size}`, 'content-length': '0' })
      .send();
  }
  // Read first: content that cannot be read gets another answer.
  const content = await bytes.read(range ?? undefined);
  if (!range) return reply.header('content-length', String(bytes.size)).send(content);
  reply.code(206).headers({
    'content-length': String(range.end - range.start + 1),
    'content-range': `bytes ${range.start}-${range.end}/${bytes.size}`,
  });
  return reply.send(content);
}

/** Accepts one range; for several, another unit, or changed bytes, all of the content is sent. */
function wantedRange(request: FastifyRequest, size: number, etag: string) {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  if (first === '' && last === '') return null;
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== etag) return null;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  return start > end ? ('unsatisfiable' as const) : { start, end };
}

/** The header that makes a browser save an answer under this name. */
export const attachment = (name: string) =>
  `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
