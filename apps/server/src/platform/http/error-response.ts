import { type ErrorBody, type ErrorCode, errorStatus } from '@atoll/contract';
import { ORPCError, ValidationError } from '@orpc/server';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, storageFailure } from '../errors.ts';
import type { Log } from '../log.ts';

/** Turns any thrown error into the one error shape; an unexpected error reveals no internals. */

const codeOfStatus = Object.fromEntries(
  Object.entries(errorStatus).map(([code, status]) => [status, code as ErrorCode]),
) as Record<number, ErrorCode>;

const capitalise = (message: string) => message.charAt(0).toUpperCase() + message.slice(1);

function fieldsOf(error: ValidationError): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const issue of error.issues) {
    const keys = (issue.path ?? []).map((segment) => String(typeof segment === 'object' ? segment.key : segment));
    const unknownKeys = (issue as { code?: string; keys?: string[] }).keys;
    const names = unknownKeys ? unknownKeys.map((key) => [...keys, key].join('.')) : [keys.join('.') || 'body'];
    for (const name of names) {
      fields[name] ??= [];
      fields[name].push(unknownKeys ? 'Is not a known field' : capitalise(issue.message));
    }
  }
  return fields;
}

export function toAppError(error: unknown, log: Log): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ORPCError) {
    if (error.cause instanceof ValidationError && error.code === 'BAD_REQUEST') {
      const fields = fieldsOf(error.cause);
      const names = Object.keys(fields).join(', ');
      return new AppError('unprocessable_entity', `Invalid fields: ${names}.`, { fields });
    }
    const code = codeOfStatus[error.status];
    if (code && error.status < 500) return new AppError(code, capitalise(error.message));
  }
  const { statusCode } = error as Partial<FastifyError>;
  if (statusCode && statusCode >= 400 && statusCode < 500) {
    return new AppError(codeOfStatus[statusCode] ?? 'bad_request', capitalise((error as Error).message));
  }
  if (isHangUp(error)) return new AppError('bad_request', 'The connection was closed before everything had arrived.');
  if (isDatabaseDown(error)) {
    log.error({ error }, 'The database cannot be reached');
    return new AppError('service_unavailable', 'The database cannot be reached. Try again in a moment.', {
      retryAfterSeconds: 5,
    });
  }
  const failure = storageFailure(error);
  if (failure) {
    log.error({ error }, 'The storage failed');
    return failure;
  }
  log.error({ error }, 'Unexpected error');
  return new AppError('internal_server_error', 'Something went wrong on our end.');
}

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '08006',
]);

/** The client went away in the middle of its request. */
const isHangUp = (error: unknown) =>
  !(typeof error === 'object' && error !== null && 'query' in error) &&
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE'].includes((error as { code?: string })?.code ?? '');

/** Checks only errors of queries, because a client that hangs up has the same codes. */
function isDatabaseDown(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message } = ((error as { cause?: unknown }).cause ?? error) as { code?: string; message?: string };
  const isQuery =
    'query' in error || /connection terminated|timeout exceeded when trying to connect/i.test(message ?? '');
  return isQuery && (code === undefined || connectionCodes.has(code) || code.startsWith('08'));
}

export function errorBody(error: AppError, requestId: string): ErrorBody {
  const body = error.toBody();
  return { ...body, details: { ...body.details, request_id: requestId } };
}

export function sendError(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const error = toAppError(thrown, request.log as Log);
  // These headers described the content that could not be read.
  for (const name of [
    'content-type',
    'content-disposition',
    'content-length',
    'content-range',
    'content-encoding',
    'etag',
  ])
    reply.removeHeader(name);
  reply.header('cache-control', 'no-store');
  if (error.extras.retryAfterSeconds) reply.header('retry-after', String(error.extras.retryAfterSeconds));
  return reply.code(error.status).send(errorBody(error, request.id));
}
