import { describe, expect, test } from 'vitest';
import { featureNames, resolveFeatures } from './features.ts';

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

  test('the spec names what is off by default', () => {
    const off = Object.entries(resolve({})).filter(([, state]) => !state.enabled);
    expect(off.map(([name]) => name).sort()).toEqual([
      'apps_only',
      'code_commenting',
      'collaboration_connections',
      'container_connections',
      'custom_global_github_token',
      'ethereum_ide',
      'execute_main_file',
      'execute_with_parameters',
      'execution_connections',
      'rating',
      'reports_only',
    ]);
  });

  test('a plan takes away, an admin is not limited by it', () => {
    expect(resolve({ plan: { gpu: false } }).gpu).toEqual({ enabled: false, reason: 'no_permissions' });
    expect(resolve({ plan: { gpu: false }, isAdmin: true }).gpu.enabled).toBe(true);
  });

  test('a role takes away or grants, and granting wins', () => {
    expect(resolve({ roles: [{ ai: false }] }).ai).toEqual({ enabled: false, reason: 'no_permissions' });
    expect(resolve({ roles: [{ ai: false }, { ai: true }] }).ai.enabled).toBe(true);
    expect(resolve({ plan: { gpu: false }, roles: [{ gpu: true }] }).gpu.enabled).toBe(true);
    expect(resolve({ roles: [{ rating: true }] }).rating.enabled).toBe(true);
  });

  test('what is set for one person wins over role and plan, not over the configuration', () => {
    expect(resolve({ person: { ai: false }, roles: [{ ai: true }] }).ai.enabled).toBe(false);
    expect(resolve({ person: { gpu: true }, plan: { gpu: false } }).gpu.enabled).toBe(true);
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
