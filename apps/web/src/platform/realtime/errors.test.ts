import { describe, expect, it } from 'vitest';
import { delayOf, reconnectDelays, rejoinDelays } from './constants.ts';
import { commandFailed, joinFailed, notConnected, retryWhileBusy, waitUntil } from './errors.ts';

const soon = { timeoutMs: 200, everyMs: 1 };

describe('failures of the live connection', () => {
  it('have the messages of the spec', () => {
    expect(joinFailed({ reason: 'no_permissions' }).message).toBe('Failed to join Phoenix channel: no_permissions');
    expect(joinFailed().message).toBe('Failed to join Phoenix channel: Timeout');
    expect(commandFailed({ reason: 'locked' }).message).toBe('Synchronous command failed: locked');
    expect(commandFailed().message).toBe('Synchronous command failed: Timeout');
    expect(notConnected().message).toBe('Not connected');
  });

  it('end a wait that was in vain', async () => {
    await expect(waitUntil(() => false, { timeoutMs: 5, everyMs: 1 })).rejects.toThrow(
      'Timeout when waiting for something to happen',
    );
    let asked = 0;
    await waitUntil(() => ++asked > 3, soon);
    expect(asked).toBe(4);
  });

  it('are tried again only while the server is busy', async () => {
    let asked = 0;
    const answer = await retryWhileBusy(async () => {
      if (++asked < 3) throw commandFailed({ reason: 'busy' });
      return 'done';
    }, soon);
    expect([answer, asked]).toEqual(['done', 3]);
    await expect(retryWhileBusy(() => Promise.reject(commandFailed({ reason: 'locked' })), soon)).rejects.toThrow(
      'locked',
    );
  });
});

it('waits as long as the spec requires', () => {
  expect([1, 2, 3, 4, 9].map((tries) => delayOf(rejoinDelays, tries))).toEqual([1000, 2000, 5000, 10000, 10000]);
  expect([1, 2, 9, 10, 50].map((tries) => delayOf(reconnectDelays, tries))).toEqual([10, 50, 2000, 5000, 5000]);
});
