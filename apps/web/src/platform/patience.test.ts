import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { patiently } from './patience.ts';

const answered = (status: number, details: Record<string, unknown> = {}) =>
  new ApiError({ message: 'no', status, code: 'x', fields: {}, details });

describe('patience', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('window', new EventTarget());
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test.each([
    ['a lost line', new TypeError('line')],
    ['a busy server', answered(503)],
    ['too many requests', answered(429, { retry_after: 7 })],
    ['an upload that stands elsewhere', answered(409, { received: 5 })],
  ])('%s passes', async (_name, error) => {
    const work = vi.fn().mockRejectedValueOnce(error).mockResolvedValueOnce('done');
    const onWaiting = vi.fn();
    const result = patiently(work, { onWaiting });
    await vi.runAllTimersAsync();
    expect(await result).toBe('done');
    expect(onWaiting.mock.calls).toEqual([[true], [false]]);
  });

  test.each([
    ['a refusal', answered(422)],
    ['a failure of the server', answered(500)],
    ['a conflict', answered(409)],
    ['a mistake', new Error('mistake')],
  ])('%s does not', async (_name, error) => {
    await expect(patiently(() => Promise.reject(error), { onWaiting: vi.fn() })).rejects.toBe(error);
  });

  test('waits for the time given by the server, or until the connection is back', async () => {
    const work = vi.fn().mockRejectedValueOnce(answered(429, { retry_after: 20 }));
    work.mockRejectedValueOnce(new TypeError('line')).mockResolvedValueOnce('done');
    const result = patiently(work, { onWaiting: vi.fn() });
    await vi.advanceTimersByTimeAsync(19_000);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(work).toHaveBeenCalledTimes(2);
    window.dispatchEvent(new Event('online'));
    expect(await result).toBe('done');
  });

  test('ends when it is cancelled, and does not retry unless requested', async () => {
    const abort = new AbortController();
    const lost = new TypeError('line');
    const result = patiently(() => Promise.reject(lost), { signal: abort.signal, onWaiting: vi.fn() });
    const outcome = expect(result).rejects.toThrow('Cancelled');
    await vi.advanceTimersByTimeAsync(0);
    abort.abort();
    await outcome;
    await expect(patiently(() => Promise.reject(lost))).rejects.toBe(lost);
  });

  test('gives up in the end', async () => {
    const lost = new TypeError('line');
    const outcome = expect(patiently(() => Promise.reject(lost), { onWaiting: vi.fn() })).rejects.toBe(lost);
    await vi.runAllTimersAsync();
    await outcome;
  });
});
