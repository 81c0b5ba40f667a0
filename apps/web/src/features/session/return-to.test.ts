import { describe, expect, it } from 'vitest';
import { localPath } from './return-to.ts';

describe('localPath', () => {
  it.each(['/', '/profile?section=keys#x', '/a/b'])('keeps %s', (path) => expect(localPath(path)).toBe(path));
  it.each(['//evil.example', '/\\evil', 'https://evil.example', 'javascript:x', '', '/a b', 1, undefined])(
    'refuses %j',
    (path) => expect(localPath(path)).toBeUndefined(),
  );
});
