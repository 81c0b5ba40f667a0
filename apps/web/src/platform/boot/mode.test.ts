import { describe, expect, it } from 'vitest';
import { resolveMode } from './mode.ts';

const none = { requested: null, query: null, stored: null, platform: 'light' } as const;

describe('resolveMode', () => {
  it.each([
    ['the platform default', none, 'light'],
    ['a platform that starts dark', { ...none, platform: 'dark' }, 'dark'],
    ['the stored setting before the platform', { ...none, stored: 'dark' }, 'dark'],
    ['the query before the stored setting', { ...none, query: 'light', stored: 'dark', platform: 'dark' }, 'light'],
    ['a requested mode before everything', { ...none, requested: 'dark', query: 'light', stored: 'light' }, 'dark'],
    ['nothing from a word that is no mode', { ...none, requested: 'pink', query: '', stored: 'null' }, 'light'],
  ] as const)('takes %s', (_, sources, expected) => {
    expect(resolveMode(sources)).toBe(expected);
  });
});
