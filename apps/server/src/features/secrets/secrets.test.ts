import type { Secret } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { createContext } from '../../platform/context.ts';
import { createTestApp, testSecretKey } from '../../test/test-app.ts';
import { seal, unseal } from './seal.ts';
import { reveal, rotateSecrets } from './service.ts';
import { secrets } from './table.ts';

describe('secrets', () => {
  test('are kept, found, changed and forgotten, and never shown', async () => {
    const { call, person, database } = await createTestApp();
    const { token } = await person();
    const made = await call<Secret>('POST', '/v1/secrets', {
      token,
      body: { key: 'API_TOKEN', secret: 'very-secret-value' },
    });
    expect(made.body).toMatchObject({ key: 'API_TOKEN', permissions: ['secret.edit'] });
    await call('POST', '/v1/secrets', { token, body: { key: 'OTHER', secret: 'x' } });
    const found = await call<{ entries: Secret[]; total: number }>('GET', '/v1/secrets', {
      token,
      query: { search: 'api_' },
    });
    expect(found.body.entries.map((secret) => secret.key)).toEqual(['API_TOKEN']);
    expect(JSON.stringify([made.body, found.body])).not.toContain('very-secret-value');
    const [row] = await database.db.select().from(secrets).where(eq(secrets.id, made.body.id));
    expect(JSON.stringify(row)).not.toContain('very-secret-value');
    const renamed = await call<Secret>('PATCH', `/v1/secrets/${made.body.id}`, { token, body: { key: 'NEW_NAME' } });
    expect(renamed.body.key).toBe('NEW_NAME');
    expect((await call('POST', '/v1/secrets', { token, body: { key: 'OTHER', secret: 'y' } })).status).toBe(422);
    expect((await call('POST', '/v1/secrets', { token, body: { key: 'not a name', secret: 'y' } })).status).toBe(422);
    expect((await call('DELETE', `/v1/secrets/${made.body.id}`, { token })).status).toBe(200);
    expect((await call('DELETE', `/v1/secrets/${made.body.id}`, { token })).status).toBe(404);
  });

  test("somebody else's do not exist, and a row copied to another owner does not open", async () => {
    const { app, call, person, database } = await createTestApp();
    const [ada, eve] = [await person(), await person()];
    const { body } = await call<Secret>('POST', '/v1/secrets', {
      token: ada.token,
      body: { key: 'KEY', secret: 'value' },
    });
    expect((await call('PATCH', `/v1/secrets/${body.id}`, { token: eve.token, body: { secret: 'mine' } })).status).toBe(
      404,
    );
    expect((await call('DELETE', `/v1/secrets/${body.id}`, { token: eve.token })).status).toBe(404);
    const [row] = await database.db.select().from(secrets).where(eq(secrets.id, body.id));
    if (!row) throw new Error('no row');
    expect(reveal(app.system(), row)).toBe('value');
    expect(() => reveal(app.system(), { ...row, userId: eve.id })).toThrow();
    expect(() => reveal(app.system(), { ...row, key: 'OTHER' })).toThrow();
  });

  test('the same text sealed twice looks different, and a changed byte is noticed', () => {
    const key = Buffer.alloc(32, 7);
    const [a, b] = [seal(key, 'user', 'KEY', 'value'), seal(key, 'user', 'KEY', 'value')];
    expect(a).not.toBe(b);
    const bytes = Buffer.from(a, 'base64');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    expect(() => unseal(key, 'user', 'KEY', bytes.toString('base64'))).toThrow();
  });

  test('a new key in front seals everything anew; afterwards the old one is not needed', async () => {
    const { app, call, person, database } = await createTestApp();
    const { token } = await person();
    await call('POST', '/v1/secrets', { token, body: { key: 'KEY', secret: 'value' } });
    const [oldKey, newKey] = [Buffer.from(testSecretKey, 'hex'), Buffer.alloc(32, 9)];
    const system = app.system();
    const withKeys = (...secretKeys: [Buffer, ...Buffer[]]) =>
      createContext({ ...system, config: { ...system.config, secretKeys } }, system);
    await rotateSecrets(withKeys(newKey, oldKey));
    const [row] = await database.db.select().from(secrets);
    if (!row) throw new Error('no row');
    expect(reveal(withKeys(newKey), row)).toBe('value');
    expect(() => reveal(withKeys(oldKey), row)).toThrow(/not configured any more/);
  });
});
