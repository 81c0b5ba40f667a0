import { expect, it } from 'vitest';
import { mayTrack } from './consent.ts';

it.each([
  [{}, true],
  [{ doNotTrack: null }, true],
  [{ doNotTrack: 'unspecified' }, true],
  [{ doNotTrack: '0', globalPrivacyControl: false }, true],
  [{ doNotTrack: '1' }, false],
  [{ doNotTrack: 'yes' }, false],
  [{ globalPrivacyControl: true }, false],
])('a browser that says %j may be tracked: %s', (browser, may) => expect(mayTrack(browser)).toBe(may));
