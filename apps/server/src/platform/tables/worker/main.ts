import { type Answers, type FromWorker, type Job, outOfMemoryExit, TableProblem, type ToWorker } from '../jobs.ts';
import { convert } from './convert.ts';
import { openDuckDb } from './duckdb.ts';
import { readPage } from './page.ts';
import { previewTable } from './preview.ts';
import { explain } from './problems.ts';
import { describeColumn } from './statistics.ts';

/**
 * One process that reads people's files: one job at a time, and nothing else in it. It ends with its parent, and ends
 * itself before it takes more memory than a job may have.
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
      send({ type: 'failed', problem, error: String((error as Error)?.stack ?? error) });
    })
    .finally(() => clearInterval(watch));
});
process.on('disconnect', () => process.exit());

async function run(job: Job, limits: ToWorker['limits']): Promise<Answers[Job['kind']]> {
  const db = await openDuckDb(limits, {
    paths: [job.path],
    folders: job.kind === 'convert' ? [job.folder] : [],
  });
  // Interrupted from here first, so that the process survives; its parent ends it when that does not help.
  const alarm = setTimeout(() => db.interrupt(), limits.timeMs);
  const ticker =
    job.kind === 'convert' ? setInterval(() => send({ type: 'progress', progress: db.progress() }), 200) : undefined;
  try {
    switch (job.kind) {
      case 'convert':
        return await convert(db, job);
      case 'preview':
        return await previewTable(db, job);
      case 'page':
        return await readPage(db, job);
      case 'statistics':
        return await describeColumn(db, job);
    }
  } finally {
    clearTimeout(alarm);
    clearInterval(ticker);
    db.close();
  }
}
