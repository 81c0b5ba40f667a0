import { describe, expect, it } from 'vitest';
import { isProvider, parseCallback, parseReturn } from './model.ts';

describe('what sign-in pages read from their address', () => {
  it('knows the four providers', () => {
    expect(['github', 'google', 'microsoft', 'oidc'].every(isProvider)).toBe(true);
    expect(['link', 'slack', '__proto__'].some(isProvider)).toBe(false);
  });
  it('refuses to return to another site', () => expect(parseReturn({ return_to: '//evil' }).return_to).toBeUndefined());
  it('takes what a provider sends back and nothing else', () =>
    expect(parseCallback({ code: 'c', state: 's', session_state: 'x', error: '' })).toEqual({ code: 'c', state: 's' }));
});
