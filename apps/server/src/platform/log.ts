import { type Logger, type LoggerOptions, pino } from 'pino';

export type Log = Logger;

/** Headers and fields that carry secrets; the request serializer also leaves the query out, for the same reason. */
const secretPaths = [
  'token',
  'password',
  'key',
  'secret',
  '*.token',
  '*.password',
  '*.secret',
  'headers.authorization',
  'headers.cookie',
  'headers["x-api-key"]',
];

/** Removes a failed query's parameters from its error, because they are people's data. */
export function withoutParameters(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (!('params' in error)) return error;
  const cause = error.cause instanceof Error ? error.cause.message : 'unknown cause';
  const told = new Error(`A query failed: ${cause}`);
  told.stack = error.stack?.slice(error.stack.indexOf('\n    at ')) ?? '';
  return told;
}

export const createLogOptions = (level: string): LoggerOptions => ({
  level,
  base: undefined,
  redact: { paths: secretPaths, censor: '[hidden]' },
  serializers: { error: (error: unknown) => pino.stdSerializers.err(withoutParameters(error)) },
});

export function createLog(options: { level: string; pretty: boolean }): Log {
  const transport = { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } };
  return pino({ ...createLogOptions(options.level), ...(options.pretty ? { transport } : {}) });
}
