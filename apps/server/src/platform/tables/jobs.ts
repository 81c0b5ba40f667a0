import type { Cell, ColumnStatistics, TableColumn, TableFilter, TableFormat } from '@atoll/contract';

/** What a worker process can be asked, and what it answers. Everything crosses as JSON. */

/** A table on disk: a parquet file, or (while it is being read in) the file people uploaded. */
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

/** What a conversion leaves behind, as `contents.json` beside `0.parquet`, `1.parquet`, … */
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
 * Why there is no answer, in words for the person who asked.
 * unreadable: the file is no table · too_large · too_slow · invalid: the question is wrong (`field` says where)
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
  /** Where sorting may spill what does not fit, and how much. */
  spillFolder: string;
  spillMb: number;
  timeMs: number;
}

export type ToWorker = { job: Job; limits: WorkerLimits };
export type FromWorker =
  | { type: 'progress'; progress: number }
  | { type: 'done'; answer: Answers[Job['kind']] }
  | { type: 'failed'; problem: Problem | null; error: string };

/** How a worker says that it ended itself rather than take more memory. */
export const outOfMemoryExit = 77;
