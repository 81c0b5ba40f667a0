import { randomUUIDv7 } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, customType, integer, timestamp, uuid } from 'drizzle-orm/pg-core';

/** Column types used by every table. */

let lastTime = 0;
let lastCount = 0;

/** Ids sort by creation, also within a millisecond, because events are delivered in this order. RFC 9562, 6.2, method 1. */
export function newId(): string {
  const made = randomUUIDv7();
  const time = Number.parseInt(made.slice(0, 8) + made.slice(9, 13), 16);
  lastCount += 1;
  if (time > lastTime) {
    lastTime = time;
    // Start in the lower half of the range, so that there is room to count.
    lastCount = Number.parseInt(made.slice(15, 18), 16) >> 1;
  } else if (lastCount > 0xfff) {
    lastTime += 1;
    lastCount = 0;
  }
  const digits = lastTime.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7${lastCount.toString(16).padStart(3, '0')}-${made.slice(19)}`;
}
export const primaryId = () => uuid('id').primaryKey().$defaultFn(newId);
/** The row is deleted with the one that it belongs to. */
export const belongsTo = (name: string, column: () => AnyPgColumn) =>
  uuid(name).notNull().references(column, { onDelete: 'cascade' });
export const counter = (name: string) => integer(name).notNull().default(0);
export const searchVector = customType<{ data: string }>({ dataType: () => 'tsvector' });
export const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });

/** A check that makes the database reject any other value, from every writer. */
export const oneOf = (column: AnyPgColumn, values: readonly string[]): SQL =>
  sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`;
