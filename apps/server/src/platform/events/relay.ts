import type { EventName, EventPayload } from '@atoll/contract';
import { events as eventContract } from '@atoll/contract';
import { and, asc, eq, gt, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { preparedStatement } from '../db/prepared-statement.ts';
import { type Log, withoutParameters } from '../log.ts';
import { type EventRow, eventsTable } from './table.ts';

export type EventHandlers = {
  [Name in EventName]?: (ctx: Context, payload: EventPayload<Name>, event: EventRow) => Promise<void>;
};

interface RelayDependencies {
  db: Database;
  log: Log;
  now: () => Date;
  /** By the name of their feature. */
  handlers: Record<string, EventHandlers>;
  /** A context in the server's own name for handling one event. */
  contextFor: (event: EventRow) => Context;
}

const batchSize = 50;
/** A server that does not finish a delivery within this time counts as dead; then another takes the event over. */
const leaseMs = 60_000;
const maxAttempts = 6;
const pollMs = 2_000;
const longestDelayMs = 300_000;
const rightMs = 60_000;
const retryDelayMs = (attempt: number) => Math.min(2 ** attempt * 1_000, longestDelayMs);

/** Deliveries within this time are noted together; a server that dies meanwhile makes the next one repeat that many. */
const noteWithinMs = 20;
const storeDelivered = preparedStatement(sql`update ${eventsTable}
  set attempts = attempts + 1, due_at = null, delivered_at = ${sql.placeholder('at')}::timestamptz, last_error = null
  where id = any(${sql.placeholder('ids')}::uuid[])`);

type Handler = (ctx: Context, payload: unknown, event: EventRow) => Promise<void>;

/**
 * Hands committed events to their handlers, at least once and in order; a failed event is retried, then parked. Each
 * handler is noted separately, so that a failure of one does not repeat the others.
 */
export class EventRelay {
  private readonly dependencies: RelayDependencies;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private again = false;
  private stopped = false;
  /** By the clock of the process, which cannot be set. */
  private rightAt = Number.NEGATIVE_INFINITY;

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

  /** Waits until no delivery is in progress; tests use it instead of sleeping. */
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
      if (performance.now() - this.rightAt > rightMs) await this.putTimesRight();
      while (!this.stopped) {
        const batch = await this.claim();
        const [first] = batch;
        // Past their lease they are due again, here or on another server.
        const isOurs = () => !first?.dueAt || this.dependencies.now() < first.dueAt;
        await this.deliverAll(batch, isOurs);
        if (batch.length < batchSize && isOurs()) return;
      }
    } catch (error) {
      this.dependencies.log.error({ error }, 'Events could not be read; trying again shortly');
    }
  }

  /** After the machine's clock was set back, events from before would wait until the old time comes again. */
  private async putTimesRight(): Promise<void> {
    const { db, now } = this.dependencies;
    this.rightAt = performance.now();
    await db
      .update(eventsTable)
      .set({ dueAt: new Date(now().getTime() + leaseMs) })
      .where(gt(eventsTable.dueAt, new Date(now().getTime() + 2 * longestDelayMs)));
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

  private async deliverAll(batch: EventRow[], isOurs: () => boolean): Promise<void> {
    const { db, now } = this.dependencies;
    const delivered: string[] = [];
    let noting: Promise<unknown> = Promise.resolve();
    const note = () => {
      const ids = delivered.splice(0);
      if (ids.length === 0) return;
      noting = Promise.all([noting, db.execute(storeDelivered({ ids, at: now().toISOString() }))]);
      // The error is thrown at the end.
      noting.catch(() => {});
    };
    // A timer notes deliveries, because the next handler can take longer than the lease.
    const timer = setInterval(note, noteWithinMs);
    try {
      for (const event of batch) if (isOurs() && (await this.deliver(event))) delivered.push(event.id);
    } finally {
      clearInterval(timer);
      note();
      await noting;
    }
  }

  /** Returns whether all handlers are done; the delivery itself still has to be noted. */
  private async deliver(event: EventRow): Promise<boolean> {
    const { db, now, log, handlers, contextFor } = this.dependencies;
    const attempts = event.attempts + 1;
    const parked = attempts >= maxAttempts;
    const errors: string[] = [];
    const complain = (error: unknown, handler: string) => {
      const details = { error, event: event.name, eventId: event.id, handler, attempts, parked };
      log.error(details, 'An event could not be handled');
      errors.push(`${handler}: ${withoutParameters(error)}`);
    };
    const name = event.name as EventName;
    const parsed = eventContract[name]?.safeParse(event.payload);
    if (!parsed?.success) complain(parsed?.error ?? new Error('This event is not known'), 'contract');
    else {
      const waiting = Object.entries(handlers).flatMap(([feature, { [name]: handle }]) =>
        handle && !event.handledBy.includes(feature) ? [{ feature, handle: handle as Handler }] : [],
      );
      for (const { feature, handle } of waiting) {
        try {
          await handle(contextFor(event), parsed.data, event);
          // The last handler is noted together with the event's delivery.
          if (waiting.length > 1) await this.note(event, feature);
        } catch (error) {
          complain(error, feature);
        }
      }
    }
    if (errors.length === 0) return true;
    const dueAt = parked ? null : new Date(now().getTime() + retryDelayMs(attempts));
    const failed = { attempts, dueAt, lastError: errors.join('\n') };
    await db.update(eventsTable).set(failed).where(eq(eventsTable.id, event.id));
    return false;
  }

  private async note({ id }: EventRow, feature: string): Promise<void> {
    await this.dependencies.db
      .update(eventsTable)
      .set({ handledBy: sql`array_append(${eventsTable.handledBy}, ${feature})` })
      .where(eq(eventsTable.id, id));
  }
}
