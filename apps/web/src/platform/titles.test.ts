import { describe, expect, it } from 'vitest';
import { isEmbedPath } from './embed.ts';
import { pageTitle } from './titles.ts';

describe('pageTitle', () => {
  it('joins page and name with a dash', () => expect(pageTitle('Profile', 'Reef', false)).toBe('Profile - Reef'));
  it('marks the mini-app', () => expect(pageTitle('Profile', 'Reef', true)).toBe('Profile - Reef (TMA)'));
  it('is the name alone where a page has none', () => expect(pageTitle(undefined, 'Reef', false)).toBe('Reef'));
});

describe('isEmbedPath', () => {
  it.each(['/embed/canvas/1', '/embed/cell/1/2/3', '/embed/1/2/3', '/embed/1/2/3/'])('knows %s', (path) =>
    expect(isEmbedPath(path)).toBe(true),
  );
  it.each(['/', '/embed', '/embed/1', '/embed/a/b/c/d/e', '/dashboard'])('leaves %s alone', (path) =>
    expect(isEmbedPath(path)).toBe(false),
  );
});
