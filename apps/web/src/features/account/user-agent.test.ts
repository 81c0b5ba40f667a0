import { describe, expect, it } from 'vitest';
import { describeAgent } from './user-agent.ts';

describe('describeAgent', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/19 Safari/605.1', 'Safari on macOS'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
    ['curl/8.9.0', 'curl'],
    ['', 'Unknown device'],
  ])('%s', (agent, expected) => expect(describeAgent(agent)).toBe(expected));
});
