import type { ApiKey } from '@atoll/contract';
import { describe, expect, test } from 'vitest';
import { createTestApp } from '../../test/test-app.ts';
import { isApiKeyShaped, newApiKey } from './key.ts';

type Created = ApiKey & { key: string };
const minute = 60_000;

describe('an API key', () => {
  test('has a prefix, 256 random bits and a checksum that catches a typo', () => {
    const key = newApiKey();
    expect(key).toMatch(/^ak_[0-9a-f]{70}$/);
    expect(isApiKeyShaped(key)).toBe(true);
    const other = key[10] === 'a' ? 'b' : 'a';
    expect(isApiKeyShaped(`${key.slice(0, 10)}${other}${key.slice(11)}`)).toBe(false);
  });

  test('is shown once; the list has only its ends', async () => {
    const { call, person } = await createTestApp();
    const { token } = await person();
    const made = await call<Created>('POST', '/v1/me/api_keys', {
      token,
      body: { name: 'ci', scopes: ['read', 'write'] },
    });
    expect(made.body).toMatchObject({
      name: 'ci',
      scopes: ['read', 'write'],
      last_used_at: null,
      permissions: ['api_key.revoke'],
    });
    const list = await call<{ entries: ApiKey[] }>('GET', '/v1/me/api_keys', { token });
    expect(list.body.entries).toHaveLength(1);
    expect(JSON.stringify(list.body)).not.toContain(made.body.key);
    expect(list.body.entries[0]?.hint).toBe(`${made.body.key.slice(0, 7)}…${made.body.key.slice(-4)}`);
  });

  test('reads with read, writes only with write', async () => {
    const { call, person } = await createTestApp();
    const { token } = await person();
    const make = async (scopes: string[]) =>
      (await call<Created>('POST', '/v1/me/api_keys', { token, body: { name: 'k', scopes } })).body.key;
    const [reading, writing] = [await make(['read']), await make(['read', 'write'])];
    expect((await call('GET', '/v1/settings', { apiKey: reading })).status).toBe(200);
    const refused = await call('PATCH', '/v1/settings', { apiKey: reading, body: { headline: 'x' } });
    expect(refused.status).toBe(403);
    expect(refused.body.details.reason).toBe('no_permissions');
    expect((await call('PATCH', '/v1/settings', { apiKey: writing, body: { headline: 'x' } })).status).toBe(200);
  });

  test('cannot make keys, touch sessions or do more than its owner', async () => {
    const { call, person } = await createTestApp();
    const { token } = await person();
    const { body } = await call<Created>('POST', '/v1/me/api_keys', {
      token,
      body: { name: 'k', scopes: ['read', 'write'] },
    });
    const apiKey = body.key;
    expect((await call('POST', '/v1/me/api_keys', { apiKey, body: { name: 'more' } })).status).toBe(403);
    expect((await call('GET', '/v1/me/sessions', { apiKey })).status).toBe(403);
    expect(
      (await call('PATCH', '/v1/settings/credentials', { apiKey, body: { password: 'another password' } })).status,
    ).toBe(403);
    expect((await call('PATCH', '/v1/admin/theme', { apiKey, body: { update: { name: 'Mine' } } })).status).toBe(403);
  });

  test('loses its rights with its owner', async () => {
    const { call, person, promote, suspend } = await createTestApp();
    const { token, id } = await person();
    const { body } = await call<Created>('POST', '/v1/me/api_keys', {
      token,
      body: { name: 'k', scopes: ['read', 'write'] },
    });
    const rename = () => call('PATCH', '/v1/admin/theme', { apiKey: body.key, body: { update: { name: 'Mine' } } });
    expect((await rename()).status).toBe(403);
    await promote(id);
    expect((await rename()).status).toBe(200);
    await suspend(id, 'Gone.');
    expect((await rename()).status).toBe(403);
  });

  test('ends by expiry and by being revoked, and only its owner can revoke it', async () => {
    const { call, person, clock } = await createTestApp();
    const [ada, eve] = [await person(), await person()];
    const make = async (days: number | null) =>
      (await call<Created>('POST', '/v1/me/api_keys', { token: ada.token, body: { name: 'k', expires_in_days: days } }))
        .body;
    const [short, long] = [await make(1), await make(null)];
    clock.advance(25 * 60 * minute);
    expect((await call('GET', '/v1/settings', { apiKey: short.key })).status).toBe(401);
    expect((await call('GET', '/v1/settings', { apiKey: long.key })).status).toBe(200);
    expect((await call('DELETE', `/v1/me/api_keys/${long.id}`, { token: eve.token })).status).toBe(404);
    expect((await call('DELETE', `/v1/me/api_keys/${long.id}`, { token: ada.token })).status).toBe(200);
    expect((await call('GET', '/v1/settings', { apiKey: long.key })).status).toBe(401);
  });

  test('notes its last use at most every five minutes', async () => {
    const { call, person, clock } = await createTestApp();
    const { token } = await person();
    const { body } = await call<Created>('POST', '/v1/me/api_keys', { token, body: { name: 'k' } });
    const used = async () => {
      await call('GET', '/v1/settings', { apiKey: body.key });
      return (await call<{ entries: ApiKey[] }>('GET', '/v1/me/api_keys', { token })).body.entries[0]?.last_used_at;
    };
    const first = await used();
    clock.advance(4 * minute);
    expect(await used()).toBe(first);
    clock.advance(2 * minute);
    expect(await used()).not.toBe(first);
  });
});
