import type { Cell, ColumnStatistics, TableColumn, TableFilter, TableFormat } from '@atoll/contract';

/** The jobs of a worker process, and its answers. All of them are JSON. */

/** A table on disk: a parquet file, or (while it is converted) the uploaded file. */
export interface Selection {
  path: string;
  filters: TableFilter[];
  search?: string;
}

export interface Window {
  offset: number;
  limit: number;
}

export interface Sort {
  column: string;
  direction: 'asc' | 'desc';
}

export type Job =
  | { kind: 'convert'; path: string; format: TableFormat; folder: string }
  | ({ kind: 'preview'; path: string; format: TableFormat } & Window)
  | ({ kind: 'page'; sort: Sort | null } & Selection & Window)
  | ({ kind: 'statistics'; column: string } & Selection);

/** The result of a conversion, as `contents.json` beside `0.parquet`, `1.parquet`, … */
export interface Contents {
  /** Names of the sheets of a workbook, in the order of the files. */
  sheets: string[] | null;
}

export interface Rows {
  columns: TableColumn[];
  rows: Cell[][];
}

export interface Answers {
  convert: Contents;
  preview: Rows;
  page: Rows & { total: number; totalRows: number };
  statistics: ColumnStatistics;
}

/**
 * The reason why there is no answer, worded for the person who asked. unreadable: the file is no table · too_large ·
 * too_slow · invalid: the question is wrong (`field` names the part)
 */
export interface Problem {
  reason: 'unreadable' | 'too_large' | 'too_slow' | 'invalid';
  message: string;
  line?: number;
  field?: string;
}

export class TableProblem extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.message);
    this.name = 'TableProblem';
    this.problem = problem;
  }
}

export interface WorkerLimits {
  memoryMb: number;
  threads: number;
  /** The folder where sorting may spill data that does not fit in memory; `spillMb` is the limit. */
  spillFolder: string;
  spillMb: number;
  timeMs: number;
}

export type ToWorker = { job: Job; limits: WorkerLimits };
export type FromWorker =
  | { type: 'progress'; progress: number }
  | { type: 'done'; answer: Answers[Job['kind']] }
  | { type: 'failed'; problem: Problem | null; error: string };

/** The exit code of a worker that ended itself rather than take more memory. */
export const outOfMemoryExit = 77;
