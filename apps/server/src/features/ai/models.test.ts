import { scriptedModel, wrongKey } from '@atoll/agent/scripted-server';
import type { AiModel, AiPrice, AiProvider } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { actionLogs } from '../../platform/action-log/table.ts';
import { createTestApp } from '../../test/test-app.ts';
import { users } from '../users/table.ts';
import { findLocal } from './service/providers.ts';
import { aiProviders } from './table.ts';
import { scripted, setUp } from './test-conversation.ts';

describe('models', () => {
  test('without any, what is missing is said, and a search by sentence is the sentence', async () => {
    const app = await createTestApp();
    const { token } = await app.person();
    const models = await app.call<{ entries: AiModel[]; missing: string }>('GET', '/v1/ai/models', { token });
    expect(models.body).toMatchObject({ entries: [], missing: expect.stringContaining('admin') });
    const asked = await app.call('POST', '/v1/ai/generate', { token, body: { prompt: 'Hello' } });
    expect([asked.status, asked.body.details]).toEqual([422, expect.objectContaining({ reason: 'no_model' })]);
    const query = await app.call('POST', '/v1/ai/publications-query', { token, body: { prompt: 'rates in Peru' } });
    const plain = { query: 'rates in Peru', tags: [], category: null, type: null, is_by_model: false };
    expect(query.body).toEqual(plain);
  });

  test("are a person's own, or an admin's for everyone; keys are sealed and a check says whether they work", async () => {
    const models = await scripted();
    const app = await createTestApp();
    const [admin, ada, eve] = [await app.person(), await app.person(), await app.person()];
    await app.promote(admin.id);
    const body = {
      kind: 'openai_compatible',
      name: 'Ours',
      base_url: models.url,
      api_key: 'sk-very-secret',
      models: [{ name: scriptedModel }],
    };
    const common = await app.post<AiProvider>(admin.token, '/v1/ai/providers', { ...body, is_for_everyone: true });
    expect(common.body).toMatchObject({ has_key: true, source: 'admin' });
    expect(
      (await app.call('POST', '/v1/ai/providers', { token: ada.token, body: { ...body, is_for_everyone: true } }))
        .status,
    ).toBe(403);
    const rows = await app.database.db.select().from(aiProviders);
    expect(JSON.stringify(rows) + JSON.stringify(common.body)).not.toContain('sk-very-secret');
    const check = (token: string, id: string) =>
      app.call<{ is_ok: boolean; message: string }>('POST', `/v1/ai/providers/${id}/check`, { token, body: {} });
    expect((await check(admin.token, common.body.id)).body).toMatchObject({ is_ok: true });
    expect(models.requests.at(-1)?.authorization).toBe('Bearer sk-very-secret');
    expect((await check(ada.token, common.body.id)).status).toBe(404);
    // Another address would be given the key.
    const moved = await app.patch(admin.token, `/v1/ai/providers/${common.body.id}`, {
      base_url: 'https://example.com/v1',
    });
    expect(moved.status).toBe(422);
    await app.call('PATCH', `/v1/ai/providers/${common.body.id}`, { token: admin.token, body: { api_key: wrongKey } });
    expect((await check(admin.token, common.body.id)).body).toMatchObject({
      is_ok: false,
      message: expect.stringContaining('refused the API key'),
    });
    // What a person types does not reach the operator's own network.
    const own = await app.call<AiProvider>('POST', '/v1/ai/providers', { token: ada.token, body });
    const asked = models.requests.length;
    expect((await check(ada.token, own.body.id)).body.is_ok).toBe(false);
    expect(models.requests).toHaveLength(asked);
    const listed = async (token: string) =>
      (await app.call<{ entries: AiModel[] }>('GET', '/v1/ai/models', { token })).body.entries.map(
        ({ source }) => source,
      );
    expect(await listed(ada.token)).toEqual(['person', 'admin']);
    expect(await listed(eve.token)).toEqual(['admin']);
    await app
      .call('DELETE', `/v1/ai/providers/${own.body.id}`, { token: eve.token })
      .then(({ status }) => expect(status).toBe(404));
    await app
      .call('DELETE', `/v1/ai/providers/${own.body.id}`, { token: ada.token })
      .then(({ status }) => expect(status).toBe(200));
  });

  test('programs on this machine are found where they usually are', async () => {
    const { url } = await scripted();
    const found = await findLocal([
      { key: 'ollama', name: 'Ollama', baseUrl: url },
      { key: 'vllm', name: 'vLLM', baseUrl: 'http://127.0.0.1:9/v1' },
    ]);
    expect(found.map(({ key, models }) => [key, models.map(({ name }) => name)])).toEqual([
      ['ollama', [scriptedModel]],
    ]);
  });

  test("cost what the admin's one table says, those of the operator too", async () => {
    const { app, ada } = await setUp();
    const admin = await app.person();
    await app.promote(admin.id);
    const { db } = app.database;
    const { token } = admin;
    const prices = async () => (await app.call<{ entries: AiPrice[] }>('GET', '/v1/ai/prices', { token })).body.entries;
    const model = `server/${scriptedModel}`;
    expect(await prices()).toMatchObject([{ model, source: 'operator', units_per_million_output: 0 }]);
    const ask = () =>
      app.post<{ usage: { units: number } }>(ada.token, '/v1/ai/generate', { prompt: `> say ${'x'.repeat(20)}` });
    expect((await ask()).body.usage.units).toBe(0);
    const price = { model, units_per_million_input: 0, units_per_million_output: 100_000, context_tokens: 64_000 };
    expect((await app.call('PUT', '/v1/ai/prices', { token: ada.token, body: price })).status).toBe(403);
    expect((await app.call('PUT', '/v1/ai/prices', { token, body: { ...price, model: 'server/gone' } })).status).toBe(
      404,
    );
    const wrong = { ...price, units_per_million_input: -1 };
    expect((await app.call('PUT', '/v1/ai/prices', { token, body: wrong })).status).toBe(422);
    expect((await app.call('PUT', '/v1/ai/prices', { token, body: price })).body).toMatchObject(price);
    await db.update(users).set({ balance: 1 }).where(eq(users.id, ada.id));
    // 5 tokens are half a unit.
    expect((await ask()).body.usage.units).toBeCloseTo(0.5);
    expect((await db.select().from(users).where(eq(users.id, ada.id)))[0]?.balance).toBe(0);
    expect((await ask()).status).toBe(403);
    const [logged] = await db.select().from(actionLogs).where(eq(actionLogs.action, 'ai_price.changed'));
    expect(logged).toMatchObject({ actorId: admin.id, subjectId: model });
    // One that an admin set up is in the same table, and its price in its provider.
    const models = [{ name: 'small' }, { name: 'large' }];
    const body = { kind: 'openai', name: 'Ours', api_key: 'x', models, is_for_everyone: true };
    const { id } = (await app.call<AiProvider>('POST', '/v1/ai/providers', { token, body })).body;
    await app.call('PUT', '/v1/ai/prices', { token, body: { ...price, model: `${id}/large` } });
    expect((await prices()).map((each) => [each.name, each.units_per_million_output])).toEqual([
      ['small', 0],
      ['large', 100_000],
      [scriptedModel, 100_000],
    ]);
  });
});
