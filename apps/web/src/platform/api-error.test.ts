import { describe, expect, it } from 'vitest';
import { ApiError, isAbort, messageOf, readError } from './api-error.ts';

const answer = (body: string, status: number) => new Response(body, { status, headers: { 'x-request-id': 'r-1' } });

describe('readError', () => {
  it('keeps the message of the server and capitalises it', async () => {
    const body = {
      message: 'not yours',
      status: 403,
      code: 'forbidden',
      fields: {},
      details: { reason: 'no_permissions' },
    };
    const error = await readError(answer(JSON.stringify(body), 403));
    expect(error).toMatchObject({ message: 'Not yours', status: 403, code: 'forbidden', requestId: 'r-1' });
    expect(error.reason).toBe('no_permissions');
  });

  it.each(['<html>', '', '[]', '"text"', '{"message":1}'])('names the status when the body is %j', async (body) => {
    const error = await readError(answer(body, 502));
    expect(error.message).toBe('Error reading from response body 502');
    expect(error.code).toBe('unknown-http-error');
    expect(error.isReadable).toBe(false);
  });
});

describe('messageOf', () => {
  it('returns nothing for an abort', () => {
    const abort = new DOMException('aborted', 'AbortError');
    expect(isAbort(abort)).toBe(true);
    expect(messageOf(abort)).toBeNull();
  });

  it('mentions the connection when the network failed', () => {
    expect(messageOf(new TypeError('Failed to fetch'))).toContain('could not be reached');
  });

  it('repeats the message of the server', () => {
    const body = { message: 'taken', status: 409, code: 'conflict', fields: {}, details: {} };
    expect(messageOf(new ApiError(body))).toBe('Taken');
  });
});
