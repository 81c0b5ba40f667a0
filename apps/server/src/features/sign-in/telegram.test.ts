import { describe, expect, test } from 'vitest';
import { readInitData, readLoginData } from './service/telegram.ts';
import { botToken, signInitData, signLoginData } from './test/test-telegram.ts';

const now = new Date('2026-11-15T12:00:00Z');
const at = (secondsAgo: number) => String(now.getTime() / 1000 - secondsAgo);
const user = JSON.stringify({
  id: 279058397,
  first_name: 'Vladislav + - ? /',
  last_name: 'Kibenko',
  username: 'vdkfrost',
  language_code: 'ru',
  photo_url: 'https://t.me/i/userpic/320/x.svg',
});
const fields = {
  user,
  chat_instance: '8134722200314281151',
  chat_type: 'private',
  start_param: 'FRIEND1234',
  signature: 'zL-ucjNyREiHDE8aihFwpfR9aggP2xiAo3NSpfe',
  auth_date: at(30),
};
const read = (data: URLSearchParams | string, token = botToken) => readInitData(String(data), token, now);

describe('init data', () => {
  test('signed by Telegram tells who launched the app, and the code they came with', () => {
    expect(read(signInitData(fields))).toEqual({
      id: 279058397,
      firstName: 'Vladislav + - ? /',
      lastName: 'Kibenko',
      userName: 'vdkfrost',
      avatar: 'https://t.me/i/userpic/320/x.svg',
      startParam: 'FRIEND1234',
      proof: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('matches the published vector of the tma.js project', () => {
    const vector =
      'query_id=AAHdF6IQAAAAAN0XohDhrOrc&user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%22%2C' +
      '%22last_name%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C' +
      '%22is_premium%22%3Atrue%7D&auth_date=1662771648' +
      '&hash=c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2';
    const token = '5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8';
    expect(readInitData(vector, token, new Date(1_662_771_648_000))).toMatchObject({
      id: 279058397,
      userName: 'vdkfrost',
      startParam: null,
    });
  });

  test('in another order is the same data, with the same proof', () => {
    const signed = signInitData(fields);
    const reordered = new URLSearchParams([...signed].reverse());
    expect(read(reordered)).toEqual(read(signed));
  });

  test('without a right hash is refused', () => {
    const signed = signInitData(fields);
    const hash = signed.get('hash') ?? '';
    const changed = (name: string, value: string | null) => {
      const copy = new URLSearchParams(signed);
      if (value === null) copy.delete(name);
      else copy.set(name, value);
      return copy;
    };
    const wrong = {
      'no hash': changed('hash', null),
      'empty hash': changed('hash', ''),
      'short hash': changed('hash', hash.slice(0, 63)),
      'another hash': changed(
        'hash',
        hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      ),
      'the hash in capitals': changed('hash', hash.toUpperCase()),
      'another user': changed('user', user.replace('279058397', '279058398')),
      'another start_param': changed('start_param', 'MINE'),
      'a later auth_date': changed('auth_date', at(0)),
      'no signature field': changed('signature', null),
      'one more field': changed('is_admin', 'true'),
      nothing: '',
      nonsense: '%%%=&&&',
    };
    for (const [name, data] of Object.entries(wrong)) expect(read(data), name).toBeNull();
  });

  test('with a name twice is refused, on either side and for the hash too', () => {
    const signed = signInitData(fields);
    const other = encodeURIComponent(user.replace('279058397', '1'));
    expect(read(`${signed}&user=${other}`)).toBeNull();
    expect(read(`user=${other}&${signed}`)).toBeNull();
    expect(read(`${signed}&hash=${signed.get('hash')}`)).toBeNull();
  });

  test('is taken for an hour, and up to a minute from the future', () => {
    const signedAt = (secondsAgo: number) => read(signInitData({ ...fields, auth_date: at(secondsAgo) }));
    expect(signedAt(3_600)).not.toBeNull();
    expect(signedAt(3_601)).toBeNull();
    expect(signedAt(-60)).not.toBeNull();
    expect(signedAt(-61)).toBeNull();
    for (const auth_date of ['', 'now', '-1', '1e9', '0x1', ' ']) {
      expect(read(signInitData({ ...fields, auth_date })), auth_date).toBeNull();
    }
    const { auth_date: _, ...undated } = fields;
    expect(read(signInitData(undated))).toBeNull();
  });

  test("signed with another bot's token, or as login data, is refused", () => {
    expect(read(signInitData(fields, '1:other'))).toBeNull();
    expect(read(new URLSearchParams(signLoginData(fields)))).toBeNull();
  });

  test('that names no person is refused', () => {
    const { user: _, ...nobody } = fields;
    expect(read(signInitData(nobody))).toBeNull();
    for (const broken of ['', '{', 'null', '5', '{}', '{"id":"x"}', '{"id":-1}', '{"id":1,"is_bot":true}']) {
      expect(read(signInitData({ ...fields, user: broken })), broken).toBeNull();
    }
  });
});

describe('login data', () => {
  const login = { id: '42', first_name: 'Ada', username: 'ada', auth_date: at(30) };
  const readLogin = (data: string, token = botToken) => readLoginData(data, token, now);
  const json = (data: Record<string, string>) =>
    JSON.stringify({ ...data, id: Number(data.id), auth_date: Number(data.auth_date) });

  test('is taken as a JSON object and as a query string', () => {
    const signed = signLoginData(login);
    const person = { id: 42, firstName: 'Ada', lastName: '', userName: 'ada', startParam: null, proof: signed.hash };
    expect(readLogin(json(signed))).toMatchObject(person);
    expect(readLogin(JSON.stringify(signed))).toMatchObject(person);
    expect(readLogin(String(new URLSearchParams(signed)))).toMatchObject(person);
  });

  test('is refused when changed, old, from the future, unsigned or signed otherwise', () => {
    const signed = signLoginData(login);
    const { hash: _, ...unsigned } = signed;
    const wrong = {
      'another id': json({ ...signed, id: '43' }),
      'one more field': json({ ...signed, last_name: 'L' }),
      unsigned: json(unsigned),
      old: json(signLoginData({ ...login, auth_date: at(3_601) })),
      future: json(signLoginData({ ...login, auth_date: at(-61) })),
      'another bot': json(signLoginData(login, '1:other')),
      'as init data': String(signInitData(login)),
      'a name twice': `${new URLSearchParams(signed)}&id=43`,
      nested: JSON.stringify({ ...signed, id: { valueOf: 42 } }),
      list: '[1]',
      broken: '{',
    };
    for (const [name, data] of Object.entries(wrong)) expect(readLogin(data), name).toBeNull();
  });
});
