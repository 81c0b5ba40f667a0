import { describe, expect, it } from 'vitest';
import { connectionWords } from './connection-words.ts';

const fine = { isWanted: true, isOpen: true, isPolling: false, isRefused: false };

describe('what is said about the connection', () => {
  it.each([fine, { ...fine, isPolling: true }, { ...fine, isWanted: false, isOpen: false }])(
    'is nothing while it is fine or not wanted: %j',
    (connection) => expect(connectionWords(connection, true)).toBeNull(),
  );

  it('names what is the matter', () => {
    const lost = { ...fine, isOpen: false };
    expect(connectionWords(lost, true)?.label).toBe('Reconnecting…');
    expect(connectionWords({ ...lost, isPolling: true }, true)?.text).toContain('Live updates by polling');
    expect(connectionWords({ ...lost, isRefused: true }, true)?.kind).toBe('refused');
    expect(connectionWords(fine, false)?.kind).toBe('offline');
  });
});
