import { describe, expect, test } from 'vitest';
import { featureNames, featuresOfReports, resolveFeatures, unbuiltFeatures } from './features.ts';

const base = {
  platform: 'atoll',
  plan: {},
  isAdmin: false,
  person: {},
  roles: [],
  installation: {},
  configuration: {},
} as const;
const resolve = (inputs: Partial<Parameters<typeof resolveFeatures>[0]>) =>
  resolveFeatures({ ...base, roles: [], ...inputs });

describe('feature flags', () => {
  test('every flag is decided, with a reason exactly when it is off', () => {
    const states = resolve({});
    expect(Object.keys(states)).toEqual([...featureNames]);
    for (const state of Object.values(states)) expect(state.enabled).toBe(state.reason === null);
  });

  test('what is not built is off, whatever is set, and says so', () => {
    const off = Object.entries(resolve({})).filter(([, state]) => !state.enabled);
    const rating = resolve({ person: { rating: true }, configuration: { rating: true } }).rating;
    expect(rating).toMatchObject({
      ...{ enabled: false, reason: 'disabled_in_configuration' },
      message: 'Rating is not supported',
    });
    expect(off.map(([name]) => name).sort()).toEqual(
      [...unbuiltFeatures, 'execute_with_parameters', 'reports_only'].sort(),
    );
  });

  test('a part is off with the whole, and everything but reports where only these are on', () => {
    expect(resolve({ installation: { automation: { enabled: false, message: null } } }).schedule.enabled).toBe(false);
    const on = Object.entries(resolve({ person: { reports_only: true } })).filter(([, { enabled }]) => enabled);
    expect(on.map(([name]) => name).sort()).toEqual([...featuresOfReports].sort());
  });

  test('a plan takes away, an admin is not limited by it', () => {
    expect(resolve({ plan: { trade: false } }).trade).toEqual({ enabled: false, reason: 'no_permissions' });
    expect(resolve({ plan: { trade: false }, isAdmin: true }).trade.enabled).toBe(true);
  });

  test('a role takes away or grants, and granting wins', () => {
    expect(resolve({ roles: [{ ai: false }] }).ai).toEqual({ enabled: false, reason: 'no_permissions' });
    expect(resolve({ roles: [{ ai: false }, { ai: true }] }).ai.enabled).toBe(true);
    expect(resolve({ plan: { trade: false }, roles: [{ trade: true }] }).trade.enabled).toBe(true);
    expect(resolve({ roles: [{ reports_only: true }] }).reports_only.enabled).toBe(true);
  });

  test('what is set for one person wins over role and plan, not over the configuration', () => {
    expect(resolve({ person: { ai: false }, roles: [{ ai: true }] }).ai.enabled).toBe(false);
    expect(resolve({ person: { trade: true }, plan: { trade: false } }).trade.enabled).toBe(true);
    expect(resolve({ person: { ai: true }, configuration: { ai: false } }).ai.enabled).toBe(false);
  });

  test('a variant changes the defaults, the configuration has the last word', () => {
    expect(resolve({ platform: 'dpasa' }).trade).toEqual({ enabled: false, reason: 'disabled_in_configuration' });
    expect(resolve({ configuration: { ai: false }, roles: [{ ai: true }] }).ai).toEqual({
      enabled: false,
      reason: 'disabled_in_configuration',
    });
  });
});
