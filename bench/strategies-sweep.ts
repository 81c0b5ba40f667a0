import { parentPort, workerData } from 'node:worker_threads';
import { runSweep, type SweepJob } from '@atoll/trading/backtest/tries/sweep';

/** One of the processes that share a sweep: ready when asked, so that starting it is not measured. */
const { job, part } = workerData as { job: SweepJob; part: { index: number; of: number } };
parentPort?.on('message', () => parentPort?.postMessage(runSweep(job, undefined, part).length));
parentPort?.postMessage('ready');
