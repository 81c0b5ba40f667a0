import { parentPort, workerData } from 'node:worker_threads';
import { openHosts } from '@atoll/trading/backtest/hosts/launch';
import { runSweep, type SweepJob } from '@atoll/trading/backtest/tries/sweep';

/** One of the processes that share a sweep: ready when asked, so that starting it is not measured. */
const { job, part, folder, name } = workerData as {
  job: Omit<SweepJob, 'hosts'>;
  part: { index: number; of: number };
  folder: string;
  name: string;
};
const hosts = openHosts('typescript', folder, [name]);
parentPort?.on('message', () => parentPort?.postMessage(runSweep({ ...job, hosts }, undefined, part).length));
parentPort?.postMessage('ready');
