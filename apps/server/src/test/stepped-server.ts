import { type App, createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { features } from '../features/index.ts';
import { openDatabase } from '../platform/db/database.ts';
import type { EventHandlers } from '../platform/events/relay.ts';
import type { Feature } from '../platform/feature.ts';
import { createLog } from '../platform/log.ts';

/** A server as a process that is killed right before a step, or stops within one; jobs and handlers of events are steps. */
export interface Plan {
  /** How far its clock is ahead. */
  aheadMs: number;
  killBefore?: string;
  /** Done, but not noted as done: it goes on for ever. */
  holdAfter?: string;
}

let plan: Plan = { aheadMs: 0 };

async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  if (name === plan.killBefore) process.kill(process.pid, 'SIGKILL');
  const result = await work();
  if (name === plan.holdAfter) await new Promise(() => {});
  return result;
}

for (const { name: feature, jobs = [], events = {} } of features as readonly Feature[]) {
  for (const job of jobs) {
    const { kind, run } = job;
    job.run = (running) => step('firing_id' in running.payload ? `${kind} noted` : kind, () => run(running));
  }
  const handlers = events as Record<string, NonNullable<EventHandlers['run.ended']>>;
  for (const [event, handle] of Object.entries(handlers))
    handlers[event] = (...args) => step(`${feature} ${event}`, () => handle(...args));
}

const config = readConfig(process.env);
let app: App | null = null;
process.on('disconnect', () => process.exit());
process.on('message', async (given: Plan) => {
  plan = given;
  app ??= await start();
  app.jobs.nudge();
  process.send?.(app.http.listeningOrigin);
});
process.send?.('loaded');

async function start(): Promise<App> {
  const started = await createApp({
    config,
    database: await openDatabase({ url: config.databaseUrl, dataFolder: config.dataFolder }),
    log: createLog(config.log),
    now: () => new Date(Date.now() + plan.aheadMs),
    // What a killed server has left is taken up without them.
    hasSchedules: false,
    webFolder: process.env.TEST_WEB_FOLDER ?? null,
  });
  await started.start();
  await started.http.listen({ port: 0, host: '127.0.0.1' });
  return started;
}
