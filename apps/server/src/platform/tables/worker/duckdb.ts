import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import type { WorkerLimits } from '../jobs.ts';

export type Row = DuckDBValue[];

export interface DuckDb {
  run(sql: string, values?: DuckDBValue[]): Promise<Row[]>;
  interrupt(): void;
  /** Resets the database for another job after one that may have been interrupted. */
  renew(): void;
  /** The finished part of the running statement, 0 to 1. */
  progress(): number;
  close(): void;
}

export const quotedText = (text: string) => `'${text.replaceAll("'", "''")}'`;
const listOf = (texts: string[]) => `[${texts.map(quotedText).join(', ')}]`;

/**
 * A database for one job. It can reach only the files named here, on disk or network, can load no extension, and a query
 * cannot change that.
 */
export async function openDuckDb(limits: WorkerLimits, reach: { paths: string[]; folders: string[] }): Promise<DuckDb> {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${limits.memoryMb}MB`,
    threads: String(limits.threads),
    temp_directory: limits.spillFolder,
    max_temp_directory_size: `${limits.spillMb}MB`,
    autoload_known_extensions: 'false',
    autoinstall_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_unsigned_extensions: 'false',
  });
  const connection = await instance.connect();
  await connection.run(`
    set TimeZone = 'UTC';
    set enable_progress_bar = true;
    set enable_progress_bar_print = false;
    set allowed_paths = ${listOf(reach.paths)};
    set allowed_directories = ${listOf(reach.folders.map((folder) => `${folder}/`))};
    set enable_external_access = false;
    set lock_configuration = true;`);
  let isInterrupted = false;
  return {
    async run(sql, values) {
      // No statement runs between two statements, so an interruption there would be lost.
      if (isInterrupted) throw new Error('INTERRUPT between two statements');
      const reader = await connection.runAndReadAll(sql, values);
      return reader.getRows();
    },
    interrupt() {
      isInterrupted = true;
      connection.interrupt();
    },
    renew() {
      isInterrupted = false;
    },
    progress: () => Math.min(1, Math.max(0, connection.progress.percentage / 100)),
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
