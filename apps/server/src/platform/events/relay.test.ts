import { asc } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { createTestApp } from '../../test/test-app.ts';
import { createLog } from '../log.ts';
import { type EventHandlers, EventRelay } from './relay.ts';
import { eventsTable } from './table.ts';

const minute = 60_000;

async function withRelay(handle: (name: string) => Promise<void>, others: Record<string, EventHandlers> = {}) {
  const test = await createTestApp();
  await test.app.relay.stop();
  await test.database.db.delete(eventsTable);
  const relay = new EventRelay({
    db: test.database.db,
    log: createLog({ level: 'silent', pretty: false }),
    now: () => new Date(test.clock.time),
    handlers: { site: { 'contact.received': (_ctx, payload) => handle(payload.message_id) }, ...others },
    contextFor: () => test.app.system(),
  });
  const emit = (id: string) => test.app.system().write(({ emit }) => emit('contact.received', { message_id: id }));
  const deliver = async () => {
    relay.nudge();
    await relay.settled();
  };
  const rows = () => test.database.db.select().from(eventsTable).orderBy(asc(eventsTable.id));
  return { ...test, relay, emit, deliver, rows };
}

const ids = Array.from({ length: 3 }, () => crypto.randomUUID());

describe('the outbox', () => {
  test('delivers committed events in order, once', async () => {
    const seen: string[] = [];
    const { emit, deliver } = await withRelay(async (id) => void seen.push(id));
    for (const id of ids) await emit(id);
    await deliver();
    await deliver();
    expect(seen).toEqual(ids);
  });

  test('keeps no event of a transaction that fails', async () => {
    const seen: string[] = [];
    const { app, deliver, rows } = await withRelay(async (id) => void seen.push(id));
    const failing = app.system().write(async ({ emit }) => {
      await emit('contact.received', { message_id: ids[0] ?? '' });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await deliver();
    expect(seen).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('retries a failed event later and continues with the others', async () => {
    const seen: string[] = [];
    let isBroken = true;
    const { emit, deliver, clock } = await withRelay(async (id) => {
      if (id === ids[0] && isBroken) throw new Error('mail server away');
      seen.push(id);
    });
    for (const id of ids) await emit(id);
    await deliver();
    expect(seen).toEqual([ids[1], ids[2]]);
    isBroken = false;
    await deliver();
    expect(seen).toHaveLength(2);
    clock.advance(5 * minute);
    await deliver();
    expect(seen).toEqual([ids[1], ids[2], ids[0]]);
  });

  test('repeats only the handler that failed', async () => {
    const seen: string[] = [];
    let isBroken = true;
    const hear = (who: string) => ({ 'contact.received': async () => void seen.push(who) });
    const { emit, deliver, clock, rows } = await withRelay(
      async () => {
        if (isBroken) throw new Error('mail server away');
        seen.push('site');
      },
      { mail: hear('mail'), notifications: hear('notifications') },
    );
    await emit(ids[0] ?? '');
    await deliver();
    expect(seen).toEqual(['mail', 'notifications']);
    expect(await rows()).toMatchObject([{ deliveredAt: null, lastError: 'site: Error: mail server away' }]);
    isBroken = false;
    clock.advance(5 * minute);
    await deliver();
    expect(seen).toEqual(['mail', 'notifications', 'site']);
    expect(await rows()).toMatchObject([{ lastError: null, dueAt: null }]);
  });

  test('parks an event that never succeeds, with its reason', async () => {
    const { emit, deliver, clock, rows } = await withRelay(async () => {
      throw new Error('impossible');
    });
    await emit(ids[0] ?? '');
    for (let attempt = 0; attempt < 10; attempt++) {
      await deliver();
      clock.advance(10 * minute);
    }
    expect(await rows()).toMatchObject([
      { attempts: 6, dueAt: null, deliveredAt: null, lastError: 'site: Error: impossible' },
    ]);
  });

  test('claims an event again when it was not begun within its lease, and delivers it once', async () => {
    const seen: string[] = [];
    const { emit, deliver, clock } = await withRelay(async (id) => {
      seen.push(id);
      if (seen.length === 1) clock.advance(2 * minute);
    });
    for (const id of ids) await emit(id);
    await deliver();
    expect(seen).toEqual(ids);
  });

  test('notes a delivery while the next event is still being handled', async () => {
    const { emit, deliver, rows } = await withRelay(async (id) => {
      if (id === ids[1]) await vi.waitFor(async () => expect((await rows())[0]?.deliveredAt).not.toBeNull());
    });
    for (const id of ids) await emit(id);
    await deliver();
    expect(await rows()).toMatchObject(ids.map(() => ({ attempts: 1, dueAt: null, lastError: null })));
  });

  test('the next relay delivers an event whose relay died', async () => {
    const seen: string[] = [];
    const { emit, deliver, database, clock } = await withRelay(async (id) => void seen.push(id));
    await emit(ids[0] ?? '');
    // A server claims the event first; this one is killed then.
    await database.db.update(eventsTable).set({ dueAt: new Date(clock.time + minute) });
    await deliver();
    expect(seen).toEqual([]);
    clock.advance(minute);
    await deliver();
    expect(seen).toEqual([ids[0]]);
  });

  test('delivers events from before the clock was set back after the time of a lease', async () => {
    const seen: string[] = [];
    const { emit, deliver, clock } = await withRelay(async (id) => void seen.push(id));
    clock.advance(24 * 60 * minute);
    await emit(ids[0] ?? '');
    clock.advance(-24 * 60 * minute);
    await deliver();
    expect(seen).toEqual([]);
    clock.advance(minute);
    await deliver();
    expect(seen).toEqual([ids[0]]);
  });
});
