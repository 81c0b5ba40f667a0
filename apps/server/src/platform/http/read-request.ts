import type { z } from 'zod';
import { invalidBody, notFound } from '../errors.ts';

/** For raw endpoints and pages. An address that does not fit the schema is answered with "not found". */
export function readAddress<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const address = schema.safeParse(params);
  if (!address.success) throw notFound();
  return address.data;
}

/** Reads the fields of a query or a body; the error names the fields that are not valid. */
export function readFields<Schema extends z.ZodType>(schema: Schema, fields: unknown): z.output<Schema> {
  const read = schema.safeParse(fields);
  if (!read.success) throw invalidBody(read.error);
  return read.data;
}
