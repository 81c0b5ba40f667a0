import { describe, expect, it, vi } from 'vitest';
import { finishProof, isProofWanted, onProofWanted, proveAgain } from './reauthentication.ts';

describe('proving again who you are', () => {
  it('continues every waiting call after the sign-in', async () => {
    const listener = vi.fn();
    const stop = onProofWanted(listener);
    const calls = Promise.all([proveAgain('a'), proveAgain('b')]);
    expect(isProofWanted()).toBe(true);
    finishProof(true);
    await calls;
    expect(isProofWanted()).toBe(false);
    expect(listener).toHaveBeenCalledTimes(3);
    stop();
  });

  it('returns the refusal when the dialog is closed', async () => {
    const call = proveAgain('refused');
    finishProof(false);
    await expect(call).rejects.toBe('refused');
  });
});
