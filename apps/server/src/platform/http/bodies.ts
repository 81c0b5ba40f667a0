import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The unparsed body, for endpoints whose callers sign it. */
    rawBody: string;
  }
}

/** Escapes that JSON allows and PostgreSQL cannot store: NUL and halves of surrogate pairs. */
const suspicious = /\\u(0000|d[89a-f][0-9a-f]{2})/i;

/** Parses JSON. A text that the database cannot hold is the caller's mistake, not a server error. Uploads stay streams. */
export function parseBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.decorateRequest('rawBody', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body as string;
    request.rawBody = text;
    // Some clients send an empty body with the JSON type along with DELETE.
    if (text === '') return done(null, undefined);
    parse(request, text, (error, value) => {
      if (error) return done(new AppError('bad_request', 'The body is not valid JSON.'));
      if (suspicious.test(text) && !isStorable(value)) {
        return done(new AppError('bad_request', 'The body contains characters that cannot be stored.'));
      }
      done(null, value);
    });
  });
  app.addHook('onRequest', async (request) => {
    if (/%00/.test(request.url))
      throw new AppError('bad_request', 'The address contains characters that cannot be stored.');
  });
  // Mail programs that unsubscribe send a form (RFC 8058), whose content does not matter.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 1024 },
    (request, _body, done) =>
      /\/v1\/(report_)?unsubscribe\//.test(request.url)
        ? done(null, undefined)
        : done(new AppError('unsupported_media_type', 'Send JSON.')),
  );
  // The body stays unread, because the routes for bytes read the request themselves.
  app.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null, unreadBody));
}

export const unreadBody = Symbol('unread body');

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (Array.isArray(value)) return value.every(isStorable);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item));
  }
  return true;
}

/**
 * The bytes of a request with an unread body. The reader may stop early: the request itself stays whole, so that the
 * refusal still reaches the client. A client that hangs up ends the stream with an error.
 */
export function streamBody(request: FastifyRequest): Readable {
  const body = new PassThrough();
  // A client may hang up before the stream is read; without a listener that would end the process.
  body.on('error', () => {});
  request.raw.pipe(body);
  request.raw.once('error', (error) => body.destroy(error));
  request.raw.once('close', () => {
    if (!request.raw.complete)
      body.destroy(new AppError('bad_request', 'The upload ended before everything had arrived.'));
  });
  body.once('close', () => {
    request.raw.unpipe(body);
    request.raw.resume();
  });
  return body;
}
