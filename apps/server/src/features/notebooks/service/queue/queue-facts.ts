import type { PersonSummary } from '@atoll/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '../../../../platform/db/database.ts';
import { preparedStatement } from '../../../../platform/db/prepared-statement.ts';
import { files } from '../../../files/table.ts';
import { users } from '../../../users/table.ts';
import { type Person, personView } from '../../../users/view.ts';
import { type CellRow, type JobRow, type NotebookRow, notebookCells, notebookJobs, notebooks } from '../../table.ts';
import type { Address } from '../address.ts';

/** The facts that are read before cells are put into the queue of a notebook. */
export interface QueueFacts {
  /** Null while only the file of the notebook is stored. */
  notebook: Pick<NotebookRow, 'sessionId' | 'isParallel' | 'baseVersion'> | null;
  /** Null for a deleted file. */
  file: { version: number } | null;
  cells: Pick<CellRow, 'id' | 'rank' | 'type' | 'source' | 'metadata'>[];
  queued: Pick<JobRow, 'cellId' | 'state' | 'place'>[];
  user: PersonSummary | null;
}

const fileId = sql.placeholder('fileId');

/** Locks the file before its notebook, as everywhere, because cells may have to be made from it. */
const lockFile = preparedStatement(sql`select from ${files} where id = ${fileId} for no key update`);
const lock =
  preparedStatement(sql`select session_id as "sessionId", is_parallel as "isParallel", base_version as "baseVersion"
  from ${notebooks} where file_id = ${fileId} for update`);

const listed = (object: SQL, from: SQL) =>
  sql`(select coalesce(json_agg(json_build_object(${object})), '[]') from ${from})`;

const read = (which: SQL) =>
  preparedStatement(sql`select version,
    ${listed(
      sql`'id', id, 'rank', rank, 'type', type, 'source', source, 'metadata', metadata`,
      sql`${notebookCells} where file_id = ${fileId} and deleted_at is null ${which}`,
    )} as cells,
    ${listed(sql`'cellId', cell_id, 'state', state, 'place', place`, sql`${notebookJobs} where file_id = ${fileId}`)} as queued,
    (select json_build_object('id', id, 'userName', user_name, 'firstName', first_name, 'lastName', last_name,
      'avatarAssetId', avatar_asset_id) from ${users} where id = ${sql.placeholder('userId')}) as person
  from ${files} where id = ${fileId} and project_id = ${sql.placeholder('projectId')} and deleted_at is null`);
const readAll = read(sql``);
const readSome = read(sql`and id = any(${sql.placeholder('cellIds')}::text[])`);

type Rows<Row> = Promise<{ rows: Row[] }>;

/**
 * Sends all statements in one trip; the database runs them in order, so that file and notebook are locked before the rest
 * is read.
 */
export async function queueFacts(
  tx: Transaction,
  address: Address,
  { userId, cellIds }: { userId: string; cellIds: string[] | null },
): Promise<QueueFacts> {
  const values = { ...address, userId, cellIds };
  const [, locked, found] = await Promise.all([
    tx.execute(lockFile(values)).execute(),
    tx.execute(lock(values)).execute() as unknown as Rows<NonNullable<QueueFacts['notebook']>>,
    tx.execute((cellIds ? readSome : readAll)(values)).execute() as unknown as Rows<
      QueueFacts & { version: number; person: Person | null }
    >,
  ]);
  const [row] = found.rows;
  return {
    notebook: locked.rows[0] ?? null,
    file: row ? { version: row.version } : null,
    cells: row?.cells ?? [],
    queued: row?.queued ?? [],
    user: row?.person ? personView(row.person) : null,
  };
}
