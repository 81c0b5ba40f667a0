import type { EventName, EventPayload } from '@atoll/contract';
import { events as eventContract } from '@atoll/contract';
import { and, asc, eq, inArray, isNotNull, lte } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { type Log, withoutParameters } from '../log.ts';
import { type EventRow, eventsTable } from './table.ts';

export type EventHandlers = {
  [Name in EventName]?: (ctx: Context, payload: EventPayload<Name>, event: EventRow) => Promise<void>;
};

interface RelayDependencies {
  db: Database;
  log: Log;
  now: () => Date;
  handlers: EventHandlers[];
  /** A context in the server's own name for handling one event. */
  contextFor: (event: EventRow) => Context;
}

const batchSize = 50;
/** A server that died while delivering is taken to be gone after this; then another takes the event over. */
const leaseMs = 60_000;
const maxAttempts = 6;
const pollMs = 2_000;
const retryDelayMs = (attempt: number) => Math.min(2 ** attempt * 1_000, 300_000);

/** Hands committed events to their handlers, at least once and in order; what fails is tried again, then parked. */
export class EventRelay {
  private readonly dependencies: RelayDependencies;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private again = false;
  private stopped = false;

  constructor(dependencies: RelayDependencies) {
    this.dependencies = dependencies;
  }

  start(): void {
    this.timer = setInterval(() => this.nudge(), pollMs);
    this.nudge();
  }

  /** Called after a commit, so that delivery does not wait for the next poll. */
  nudge(): void {
    if (this.stopped) return;
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = this.run().finally(() => {
      this.running = null;
      if (this.again) {
        this.again = false;
        this.nudge();
      }
    });
  }

  /** Waits until nothing is being delivered; tests use it instead of sleeping. */
  async settled(): Promise<void> {
    while (this.running) await this.running;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearInterval(this.timer);
    await this.settled();
  }

  private async run(): Promise<void> {
    try {
      while (!this.stopped) {
        const batch = await this.claim();
        for (const event of batch) await this.deliver(event);
        if (batch.length < batchSize) return;
      }
    } catch (error) {
      this.dependencies.log.error({ error }, 'Events could not be read; trying again shortly');
    }
  }

  private async claim(): Promise<EventRow[]> {
    const { db, now } = this.dependencies;
    const due = db
      .select({ id: eventsTable.id })
      .from(eventsTable)
      .where(and(isNotNull(eventsTable.dueAt), lte(eventsTable.dueAt, now())))
      .orderBy(asc(eventsTable.id))
      .limit(batchSize)
      .for('update', { skipLocked: true });
    const claimed = await db
      .update(eventsTable)
      .set({ dueAt: new Date(now().getTime() + leaseMs) })
      .where(inArray(eventsTable.id, due))
      .returning();
    return claimed.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  private async deliver(event: EventRow): Promise<void> {
    const { db, now, log, handlers, contextFor } = this.dependencies;
    const attempts = event.attempts + 1;
    const settle = (change: Partial<EventRow>) =>
      db
        .update(eventsTable)
        .set({ attempts, ...change })
        .where(eq(eventsTable.id, event.id));
    try {
      const name = event.name as EventName;
      const payload = eventContract[name].parse(event.payload);
      for (const handler of handlers) {
        await (handler[name] as ((ctx: Context, payload: unknown, event: EventRow) => Promise<void>) | undefined)?.(
          contextFor(event),
          payload,
          event,
        );
      }
      await settle({ dueAt: null, deliveredAt: now(), lastError: null });
    } catch (error) {
      const parked = attempts >= maxAttempts;
      log.error({ error, event: event.name, eventId: event.id, attempts, parked }, 'An event could not be handled');
      const dueAt = parked ? null : new Date(now().getTime() + retryDelayMs(attempts));
      await settle({ dueAt, lastError: String(withoutParameters(error)) });
    }
  }
}
