import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { attachment } from './http/ranges.ts';

/** A spreadsheet would read a value with such a beginning as a formula. */
function field(value: string | number | null | undefined): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export const csvLine = (values: (string | number | null | undefined)[]): string => `${values.map(field).join(',')}\r\n`;

/** Rows are read while they are sent. */
export const sendCsv = (reply: FastifyReply, name: string, lines: AsyncGenerator<string>): FastifyReply =>
  reply
    .headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': attachment(name),
      'cache-control': 'private, no-store',
    })
    .send(Readable.from(lines));
