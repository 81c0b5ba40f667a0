import type { EntityType } from '@atoll/contract';
import type { Database, Transaction } from './db/database.ts';

/**
 * Names by id, for entities that still exist. Null means the project's name is shown; a path is for a file read outside its
 * project.
 */
export type EntityNames = (
  db: Database | Transaction,
  ids: string[],
) => Promise<Map<string, { name: string | null; path?: string | null }>>;

/** Resolves the names of the entities that notifications are about. */
export type Entities = Partial<Record<EntityType, EntityNames>>;
