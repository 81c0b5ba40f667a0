import { randomUUIDv7 } from 'node:crypto';
import { timestamp, uuid } from 'drizzle-orm/pg-core';

/** Column types used by every table. */

export const newId = (): string => randomUUIDv7();
export const primaryId = () => uuid('id').primaryKey().$defaultFn(newId);
export const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });
