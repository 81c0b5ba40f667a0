import { type Answers, type FromWorker, type Job, outOfMemoryExit, TableProblem, type ToWorker } from '../jobs.ts';
import { parquetTable, type StoredTable } from './columns.ts';
import { convert } from './convert.ts';
import { type DuckDb, openDuckDb } from './duckdb.ts';
import { readPage } from './page.ts';
import { previewTable } from './preview.ts';
import { explain } from './problems.ts';
import { describeColumn } from './statistics.ts';

/**
 * A process that reads people's files, one job at a time. It ends with its parent, and ends itself before it takes more
 * memory than a job may have.
 */
const send = (message: FromWorker) => process.send?.(message);
const beyondDuckDb = 1_024;

process.on('message', ({ job, limits }: ToWorker) => {
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > (limits.memoryMb + beyondDuckDb) * 1024 ** 2) process.exit(outOfMemoryExit);
  }, 100);
  run(job, limits)
    .then((answer) => send({ type: 'done', answer }))
    .catch((error: unknown) => {
      const problem = error instanceof TableProblem ? error.problem : explain(error);
      // After some errors DuckDB answers no more queries.
      if (!(error instanceof TableProblem)) forget();
      send({ type: 'failed', problem, error: String((error as Error)?.stack ?? error) });
    })
    .finally(() => clearInterval(watch));
});
process.on('disconnect', () => process.exit());

/** The most recent table stays open: pages follow each other, and opening it takes longer than reading one. */
let kept: { path: string; db: DuckDb; table: StoredTable } | null = null;

function forget(): void {
  kept?.db.close();
  kept = null;
}

async function run(job: Job, limits: ToWorker['limits']): Promise<Answers[Job['kind']]> {
  if (kept?.path !== job.path || job.kind === 'convert' || job.kind === 'preview') forget();
  const db =
    kept?.db ?? (await openDuckDb(limits, { paths: [job.path], folders: job.kind === 'convert' ? [job.folder] : [] }));
  db.renew();
  // The first interruption comes from here, so that the process survives; its parent ends it when that does not help.
  const alarm = setTimeout(() => db.interrupt(), limits.timeMs);
  const ticker =
    job.kind === 'convert' ? setInterval(() => send({ type: 'progress', progress: db.progress() }), 200) : undefined;
  try {
    switch (job.kind) {
      case 'convert':
        return await convert(db, job);
      case 'preview':
        return await previewTable(db, job);
      default:
        kept ??= { path: job.path, db, table: await parquetTable(db, job.path) };
        return job.kind === 'page' ? await readPage(db, kept.table, job) : await describeColumn(db, kept.table, job);
    }
  } finally {
    clearTimeout(alarm);
    clearInterval(ticker);
    if (kept?.db !== db) db.close();
  }
}
