import { describe, expect, test } from 'vitest';
import { toCodePoints, toUnits } from './cursor.ts';
import { decode, encode, newMessage, WireError } from './message.ts';

const key = 'secret';
const message = () => ({
  ...newMessage('execute_request', { code: 'print("é😀")' }, 'session'),
  metadata: { tags: ['a'] },
  buffers: [new Uint8Array([0, 255]), new Uint8Array()],
});

describe('messages', () => {
  test('decode to the sent message, with any address in front', () => {
    const sent = message();
    expect(decode(encode(sent, key), key)).toEqual(sent);
    expect(decode([Buffer.from('ident'), Buffer.from([1]), ...encode(sent, key)], key)).toEqual(sent);
  });

  test('are signed as the specification says', () => {
    const sent = newMessage('x', {}, 's', 'id');
    sent.header.date = '2026-01-01T00:00:00Z';
    // By Python: hmac.new(b'secret', header + b'{}{}{}', 'sha256').hexdigest()
    expect(String(encode(sent, key)[1])).toBe('0e2cd626245cf9ec80f1f6c20ff15c708f838f10b340c2429e647639389974a0');
    expect(encode(sent, '')[1]?.length).toBe(0);
    expect(decode(encode(sent, ''), '')).toEqual(sent);
  });

  test.each([0, 1, 2, 3])('refuses a changed part %i', (part) => {
    const frames = encode(message(), key);
    frames[2 + part] = Buffer.from('{"msg_id":"a","msg_type":"b"}');
    expect(() => decode(frames, key)).toThrow('Wrong signature');
  });

  test('refuses another key, a missing and a short signature', () => {
    const frames = encode(message(), key);
    expect(() => decode(frames, 'other')).toThrow('Wrong signature');
    for (const signature of ['', 'abc']) {
      expect(() => decode(frames.with(1, Buffer.from(signature)), key)).toThrow('Wrong signature');
    }
  });

  test('refuses malformed frames', () => {
    const frames = encode(message(), '');
    const malformed = [
      [],
      [Buffer.from('<IDS|MSG>')],
      frames.slice(1),
      frames.slice(0, 5),
      frames.with(2, Buffer.from('{')),
      frames.with(2, Buffer.from('[]')),
      frames.with(2, Buffer.from('{"msg_id":1}')),
      frames.with(5, Buffer.from('null')),
      frames.with(5, Buffer.from([0xff, 0xfe])),
    ];
    for (const wrong of malformed) expect(() => decode(wrong, '')).toThrow(WireError);
  });
});

test('cursors count code points on the wire and UTF-16 units here', () => {
  const text = 'a😀é👍🏽z';
  expect([0, 1, 3, 4, 8, 9].map((units) => toCodePoints(text, units))).toEqual([0, 1, 2, 3, 5, 6]);
  expect([0, 1, 2, 3, 5, 6].map((points) => toUnits(text, points))).toEqual([0, 1, 3, 4, 8, 9]);
  expect(toUnits(text, 99)).toBe(text.length);
  expect(toCodePoints(text, 99)).toBe(6);
});
