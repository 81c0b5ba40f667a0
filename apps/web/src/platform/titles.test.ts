import { describe, expect, it } from 'vitest';
import { pageTitle } from './titles.ts';

describe('pageTitle', () => {
  it('joins page and name with a dash', () => expect(pageTitle('Profile', 'Reef', false)).toBe('Profile - Reef'));
  it('marks the mini-app', () => expect(pageTitle('Profile', 'Reef', true)).toBe('Profile - Reef (TMA)'));
  it('is the name alone where a page has none', () => expect(pageTitle(undefined, 'Reef', false)).toBe('Reef'));
});
