import type { Quota } from '@atoll/contract/quota/entity';
import { describe, expect, it } from 'vitest';
import { quotaState } from './model.ts';

const hour = 3600;
const quota = (over: Partial<Quota>): Quota => ({
  execution_used: 0,
  execution_reserved: 0,
  subscription_total: 10 * hour,
  extension_balance: 0,
  projects_used: 1,
  projects_total: 5,
  renews_at: '2026-12-01T00:00:00.000Z',
  ...over,
});

describe('what the meter shows', () => {
  it('is quiet while there is enough', () => {
    const state = quotaState(quota({ execution_used: 3 * hour + 1200, execution_reserved: hour }));
    expect(state).toMatchObject({ level: 'fine', words: '3 h 20 min of 10 h', advice: null, reserved: 0.1 });
  });

  it('warns from 80 per cent on, and says what to do at the end', () => {
    expect(quotaState(quota({ execution_used: 8 * hour - 1 })).level).toBe('fine');
    const low = quotaState(quota({ execution_used: 8 * hour }));
    expect([low.level, low.advice]).toEqual(['low', expect.stringContaining('2 h left')]);
    const out = quotaState(quota({ execution_used: 10 * hour }));
    expect([out.level, out.advice]).toEqual(['out', expect.stringContaining('upgrade, buy execution time or wait')]);
  });

  it('counts the extension, and says when it is used', () => {
    const state = quotaState(quota({ execution_used: 10 * hour, extension_balance: hour }));
    expect([state.level, state.advice]).toEqual(['low', expect.stringContaining('extension')]);
  });

  it('says when runs hold the rest', () => {
    const state = quotaState(quota({ execution_used: hour, execution_reserved: 9 * hour }));
    expect([state.level, state.advice]).toEqual(['fine', expect.stringContaining('reserved by running code')]);
  });

  it('asks a guest to make an account', () => {
    const guest = { subscription_total: hour, renews_at: null };
    expect(quotaState(quota({ ...guest, execution_used: hour })).advice).toContain('account');
  });

  it('shows only what is used where there is no limit, and more than all after a smaller plan', () => {
    const unlimited = quotaState(quota({ execution_used: 90, subscription_total: null }));
    expect(unlimited).toEqual({ level: 'fine', used: null, reserved: 0, words: '1 min used', advice: null });
    expect(quotaState(quota({ execution_used: 20 * hour }))).toMatchObject({ level: 'out', used: 1, reserved: 0 });
  });
});
