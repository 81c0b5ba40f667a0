import { connect as connectTcp } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { closeAll, raw, server, startEcho, until } from './test/harness.ts';

afterEach(closeAll);

describe('rejects malformed messages', () => {
  const proto = '{"a":[{"__proto__":{"admin":true}}]}';
  test.each([
    ['no JSON', '{"topic"', 1007],
    ['nothing', '', 1007],
    ['no array', '{"topic":"room:1"}', 1007],
    ['too short', '["1","1","room:1","phx_join"]', 1007],
    ['a number for a reference', '[1,"1","room:1","phx_join",{}]', 1007],
    ['an object for a topic', '["1","1",{},"phx_join",{}]', 1007],
    ['an empty topic', '["1","1","","phx_join",{}]', 1007],
    ['a topic without end', `["1","1","${'x'.repeat(300)}","phx_join",{}]`, 1007],
    ['a topic with too many bytes', `["1","1","${'€'.repeat(100)}","phx_join",{}]`, 1007],
    ['half a surrogate pair in the topic', '["1","1","room:\\ud83d","phx_join",{}]', 1007],
    ['a join without a reference', '[null,null,"room:1","phx_join",{}]', 1007],
    ['too large', `["1","1","room:1","phx_join",{"a":"${'x'.repeat(70_000)}"}]`, 1009],
  ])('%s closes the connection', async (_name, text, code) => {
    await startEcho();
    const { send, closed } = await raw(server.url);
    send(text);
    expect((await closed).code).toBe(code);
    await until(() => server.channels.stats().connections === 0);
    expect(server.channels.stats().refused).toEqual({ [code === 1009 ? 'too large' : 'malformed']: 1 });
  });

  test.each([
    ['nothing', []],
    ['a kind that only servers send', [2, 0, 0, 0, 0]],
    ['cut short', [0, 1, 1, 6, 3, 53]],
    ['no UTF-8', [0, 0, 0, 2, 1, 0xff, 0xfe, 97]],
    ['without a topic', [0, 0, 0, 0, 1, 97]],
  ])('bytes: %s', async (_name, bytes) => {
    await startEcho();
    const { ws, closed } = await raw(server.url);
    ws.send(Uint8Array.from(bytes));
    expect((await closed).code).toBe(1003);
    expect(server.channels.stats().refused).toEqual({ malformed: 1 });
  });

  test('text that is no UTF-8', async () => {
    await startEcho();
    const { ws, closed } = await raw(server.url);
    ws.send(Uint8Array.of(0xff, 0xfe), { binary: false });
    expect((await closed).code).toBe(1007);
    expect(server.channels.stats().refused).toEqual({ malformed: 1 });
  });

  test.each([
    ['a key that reaches the prototype', proto],
    ['the same in disguise', proto.replace('__proto__', '__pro\\u0074o__')],
    ['the long way round', '{"constructor":{"prototype":{}}}'],
    ['half a surrogate pair', '{"text":"\\udc1a"}'],
    ['half of one in a key', '{"\\ud83d":1}'],
  ])('a payload with %s is refused, and the connection lives', async (_name, payload) => {
    await startEcho();
    const { send, hear } = await raw(server.url);
    send('["1","1","room:1","phx_join",{}]');
    await hear(1);
    send(`["1","2","room:1","save",${payload}]`);
    send('["1","3","room:1","save",{"text":"__proto__ constructor \\ud83d\\udc1a","constructor":"Ltd"}]');
    expect((await hear(3)).slice(1)).toEqual([
      ['1', '2', 'room:1', 'phx_reply', { status: 'error', response: { reason: 'invalid payload' } }],
      [
        '1',
        '3',
        'room:1',
        'phx_reply',
        { status: 'ok', response: { text: '__proto__ constructor \u{1f41a}', constructor: 'Ltd' } },
      ],
    ]);
    expect(server.channels.stats().refused).toEqual({ 'invalid payload': 1 });
  });

  test('random frames never get past the connection', async () => {
    await startEcho({ messagesPerSecond: 1e6, messageBurst: 1e6 });
    const witness = await raw(server.url);
    witness.send(['1', '1', 'room:1', 'phx_join', {}]);
    let seed = 20_261_115;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const parts = [
      'null',
      '"1"',
      '"room:1"',
      '"phx_join"',
      '"phx_leave"',
      '"save"',
      '{}',
      '[',
      ']',
      '{',
      '1e999',
      '"\\u',
    ];
    const values = [
      'null',
      '"1"',
      '"7"',
      '"room:1"',
      '"room:2"',
      '"phx_join"',
      '"phx_leave"',
      '"save"',
      '{}',
      '[]',
      '-1',
    ];
    const pick = (list: string[]) => list[random(list.length)] ?? '';
    const pieces = (list: string[], count: number, between: string) =>
      Array.from({ length: count }, () => pick(list)).join(between);
    const frames = [
      () => `[${pieces(values, 4 + random(3), ',')}]`,
      () => pieces(parts, random(12), random(2) ? ',' : ''),
      () => Uint8Array.from({ length: random(40) }, () => (random(2) ? random(8) : random(256))),
      () => `["1","2","room:1","save",${'['.repeat(random(5_000))}${']'.repeat(random(5_000))}]`,
    ];
    let connection = await raw(server.url);
    for (let round = 0; round < 3_000; round++) {
      if (connection.ws.readyState !== WebSocket.OPEN) connection = await raw(server.url);
      const frame = frames[random(frames.length)]?.() ?? '';
      connection.ws.send(frame);
      if (random(4) === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    for (let round = 0; round < 50; round++) {
      const socket = connectTcp(server.port, '127.0.0.1');
      const { ws } = await raw(server.url);
      // Write below the WebSocket protocol, which `ws` guards.
      (ws as unknown as { _socket: typeof socket })._socket.write(
        Uint8Array.from({ length: 1 + random(60) }, () => random(256)),
      );
      socket.destroy();
    }
    witness.send(['1', '2', 'room:1', 'save', { still: 'here' }]);
    expect((await witness.hear(2)).at(-1)).toMatchObject({ 4: { response: { still: 'here' } } });
    expect(server.errors).toEqual([]);
    expect(server.channels.stats().refused.malformed).toBeGreaterThan(100);
  });
});
