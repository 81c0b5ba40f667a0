import type { EntityType } from '@atoll/contract';
import type { Database, Transaction } from './db/database.ts';

/** By id, those that are still there; null where the project's name is shown, and a path where it is not read in the project. */
export type EntityNames = (
  db: Database | Transaction,
  ids: string[],
) => Promise<Map<string, { name: string | null; path?: string | null }>>;

/** How the features name what notifications are about. */
export type Entities = Partial<Record<EntityType, EntityNames>>;
