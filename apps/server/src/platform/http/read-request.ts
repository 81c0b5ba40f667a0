import type { z } from 'zod';
import { invalidBody, notFound } from '../errors.ts';

/** For raw endpoints and pages. An address that cannot be is not found. */
export function readAddress<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const address = schema.safeParse(params);
  if (!address.success) throw notFound();
  return address.data;
}

/** What is wrong with a query or a body is said. */
export function readFields<Schema extends z.ZodType>(schema: Schema, fields: unknown): z.output<Schema> {
  const read = schema.safeParse(fields);
  if (!read.success) throw invalidBody(read.error);
  return read.data;
}
