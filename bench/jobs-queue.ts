import { z } from 'zod';
import type { App } from '../apps/server/src/app.ts';
import type { OpenDatabase } from '../apps/server/src/platform/db/database.ts';
import { defineJob } from '../apps/server/src/platform/jobs/definition.ts';
import { Jobs } from '../apps/server/src/platform/jobs/worker.ts';
import { createLog } from '../apps/server/src/platform/log.ts';

/** A queue that runs jobs which do nothing, and says when one is done. A module of another queue exports the same. */
export interface Queue {
  enqueue(): Promise<void>;
  stop(): Promise<void>;
}

export interface QueuePlace {
  app: App;
  database: OpenDatabase;
  /** Of PostgreSQL; without one the database is the embedded one. */
  url: string | null;
}

export async function createQueue({ app, database: { db } }: QueuePlace, onDone: () => void): Promise<Queue> {
  const nothing = defineJob({
    kind: 'bench.nothing',
    payload: z.object({}),
    // As many as a server does at once.
    concurrency: 8,
    async run() {
      onDone();
    },
  });
  const jobs = new Jobs({
    db,
    log: createLog({ level: 'error', pretty: false }),
    now: () => new Date(),
    definitions: [nothing],
    schedules: {},
    context: () => app.system(),
    messagesFor: () => [],
  });
  await jobs.start();
  return {
    async enqueue() {
      await app.system().write(async (write) => void (await write.enqueue(nothing, {})));
      jobs.nudge();
    },
    stop: () => jobs.stop(),
  };
}
