import type { LockHolder } from '@atoll/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { commandFailed } from '../../platform/realtime/errors.ts';

const subscribe = vi.fn();
vi.mock('../../platform/realtime/realtime.ts', () => ({ subscribe }));
vi.mock('./window-tag.ts', () => ({ windowTag: () => 'here' }));
const { FileLock } = await import('./file-lock.ts');

const holder = (id: string, tag = 'there'): LockHolder => ({
  user: { id, user_name: id, first_name: '', last_name: '', avatar: null },
  tag,
  since: '2026-01-01T00:00:00.000Z',
});
const mine = holder('me', 'here');

/** The server's end: the messages sent to it, and a function to send an event. */
function open(isDirty = false) {
  const send = vi.fn(async (command: string) => ({ holder: command === 'acquire' ? mine : null }));
  const leave = vi.fn();
  subscribe.mockReturnValue({ send, leave });
  const document = { isDirty, hold: vi.fn(), save: vi.fn(async () => {}) };
  const lock = new FileLock({ projectId: 'p', fileId: 'f' }, 'me', document);
  const [, , { on, onJoined }] = subscribe.mock.lastCall ?? [];
  const say = (next: LockHolder | null) => on.lock_changed({ holder: next });
  const join = (next: LockHolder | null) => onJoined({ holder: next });
  return { lock, document, send, leave, say, join };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the lock of a file', () => {
  it('is acquired with the first key, once, and released after a minute without one', async () => {
    const { lock, send, join } = open();
    join(null);
    lock.typed();
    lock.typed();
    await vi.advanceTimersByTimeAsync(0);
    lock.typed();
    expect(send.mock.calls).toEqual([['acquire', { tag: 'here', takeover: false }]]);
    expect(lock.getView()).toMatchObject({ isMine: true, other: null });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(send).toHaveBeenLastCalledWith('release', {});
    expect(lock.getView().isMine).toBe(false);
  });

  it('is kept while the text has unsaved changes', async () => {
    const { lock, send } = open(true);
    lock.typed();
    await vi.advanceTimersByTimeAsync(300_000);
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('of another person blocks editing, until they have left', async () => {
    const { lock, document, say, send } = open();
    say(holder('bob'));
    expect(lock.getView()).toMatchObject({ other: { user: { id: 'bob' } }, wasTaken: false });
    expect(document.hold).toHaveBeenLastCalledWith(true);
    say(null);
    expect(document.hold).toHaveBeenLastCalledWith(false);
    expect(send).not.toHaveBeenCalled();
  });

  it('of my other window counts as the lock of another person', () => {
    const { lock, say } = open();
    say(holder('me', 'there'));
    expect(lock.getView().other?.tag).toBe('there');
  });

  it('is reported when it was taken, and acquired again for unsaved changes once it is free', async () => {
    const { lock, say, send } = open(true);
    lock.typed();
    await vi.advanceTimersByTimeAsync(0);
    say(holder('bob'));
    expect(lock.getView()).toMatchObject({ wasTaken: true, isMine: false });
    say(holder('bob'));
    expect(lock.getView().wasTaken).toBe(true);
    say(null);
    await vi.advanceTimersByTimeAsync(0);
    expect(send).toHaveBeenCalledTimes(2);
    expect(lock.getView().isMine).toBe(true);
  });

  it('belongs to another person who was first', async () => {
    const { lock, document, send } = open();
    send.mockRejectedValueOnce(commandFailed({ reason: 'locked', details: { holder: holder('bob') } }));
    lock.typed();
    await vi.advanceTimersByTimeAsync(0);
    expect(lock.getView().other?.user.id).toBe('bob');
    expect(document.hold).toHaveBeenLastCalledWith(true);
    await lock.takeOver();
    expect(send).toHaveBeenLastCalledWith('acquire', { tag: 'here', takeover: true });
    expect(document.hold).toHaveBeenLastCalledWith(false);
  });

  it('is acquired again on a new connection, and is not needed to type without one', async () => {
    const { lock, send, join } = open();
    lock.typed();
    await vi.advanceTimersByTimeAsync(0);
    join(mine);
    await vi.advanceTimersByTimeAsync(0);
    join(null);
    await vi.advanceTimersByTimeAsync(0);
    expect(send.mock.calls.map(([command]) => command)).toEqual(['acquire', 'acquire', 'acquire']);
    send.mockRejectedValue(commandFailed());
    join(null);
    await vi.advanceTimersByTimeAsync(0);
    expect(lock.getView().other).toBeNull();
  });

  it('is released when the file is closed, after the last save', async () => {
    const { lock, document, send, leave } = open();
    lock.typed();
    await vi.advanceTimersByTimeAsync(0);
    await lock.close();
    expect(document.save).toHaveBeenCalled();
    expect(send).toHaveBeenLastCalledWith('release', {});
    expect(leave).toHaveBeenCalledWith(true);
  });
});
