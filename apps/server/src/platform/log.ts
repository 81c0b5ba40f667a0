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

export const createLogOptions = (level: string): LoggerOptions => ({
  level,
  base: undefined,
  redact: { paths: secretPaths, censor: '[hidden]' },
  serializers: { error: pino.stdSerializers.err },
});

export function createLog(options: { level: string; pretty: boolean }): Log {
  const transport = { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } };
  return pino({ ...createLogOptions(options.level), ...(options.pretty ? { transport } : {}) });
}
