import { describe, expect, test } from 'vitest';
import { grant, type List, names, shared, useSharedApp } from '../../test/set-ups/projects.ts';
import { createTestApp, testPassword } from '../../test/test-app.ts';

useSharedApp();

describe('room for projects', () => {
  test('ends with the plan, with the reason and what to do', async () => {
    const { call, person, project } = shared;
    const { token } = await person();
    for (let count = 0; count < 5; count++) await project(token);
    const refused = await call('POST', '/v1/notebooks', { token, body: { name: 'Sixth' } });
    expect(refused.status).toBe(403);
    expect(refused.body.details).toMatchObject({ reason: 'usage_limit_reached', limit: 5 });
  });

  test('a guest has room for one, and keeps it by signing up or in', async () => {
    const { call, guest, person, project, app } = shared;
    const visitor = await guest();
    const first = await project(visitor.token);
    expect((await call('POST', '/v1/notebooks', { token: visitor.token, body: { name: 'x' } })).status).toBe(403);
    const account = await call<{ token: string }>('POST', '/v1/sign_up', {
      token: visitor.token,
      body: { email: 'v@example.org', password: testPassword, user_name: 'visitor' },
    });
    expect((await call('GET', `/v1/notebooks/${first.id}`, { token: account.body.token })).status).toBe(200);
    const [other, ada] = [await guest(), await person()];
    const second = await project(other.token);
    const back = await call<{ token: string }>('POST', '/v1/sign_in', {
      token: other.token,
      body: { email: ada.email, password: testPassword },
    });
    await app.relay.settled();
    expect((await call('GET', `/v1/notebooks/${second.id}`, { token: back.body.token })).status).toBe(200);
  });

  test('two requests at once do not both get the last place', async () => {
    const { call, person, project } = shared;
    const { token } = await person();
    for (let count = 0; count < 4; count++) await project(token);
    const both = await Promise.all(
      [1, 2, 3].map((n) => call('POST', '/v1/notebooks', { token, body: { name: `Last ${n}` } })),
    );
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 403, 403]);
  });
});

describe('the list', () => {
  test('has its modes, filters, sorts and pages', async () => {
    const app = await createTestApp();
    const { call, clock } = app;
    const [ada, bob] = [await app.person(), await app.person()];
    const make = async (token: string, name: string, body: object = {}) => {
      clock.advance(1_000);
      return app.project(token, { name, ...body });
    };
    const alpha = await make(ada.token, 'Alpha', { kind: 'canvas' });
    await make(ada.token, 'beta', { visibility: 'open' });
    const gamma = await make(bob.token, 'Gamma', { visibility: 'public' });
    await make(bob.token, 'Hidden');
    await grant(app, alpha.id, bob.id, ['view']);
    const list = (query: Record<string, string | string[]>, token = ada.token) =>
      call<List>('GET', '/v1/notebooks', { token, query });
    expect(names(await list({}))).toEqual(['beta', 'Alpha']);
    expect(names(await list({ mode: 'community' }))).toEqual(['Gamma', 'beta']);
    expect(names(await list({ mode: 'shared' }, bob.token))).toEqual(['Alpha']);
    expect(names(await list({ mode: 'all' }, bob.token))).toEqual(['Hidden', 'Gamma', 'beta', 'Alpha']);
    expect(names(await call<List>('GET', '/v1/notebooks', { query: { mode: 'all' } }))).toEqual(['Gamma', 'beta']);
    expect(names(await list({ sort_by: 'name', sort_direction: 'asc' }))).toEqual(['Alpha', 'beta']);
    expect(names(await list({ 'type[]': 'canvas' }))).toEqual(['Alpha']);
    expect(names(await list({ 'mode_filter[]': 'private' }))).toEqual(['Alpha']);
    expect(names(await list({ mode: 'community', owned_by: bob.id }))).toEqual(['Gamma']);
    const paged = await list({ 'page-size': '1', page: '2' });
    expect(paged.body).toMatchObject({ page: 2, page_size: 1, total: 2, entries: [{ name: 'Alpha' }] });
    await call('GET', `/v1/notebooks/${gamma.id}`, { token: ada.token });
    expect(names(await list({ mode: 'all', sort_by: 'last_view' }))[0]).toBe('Gamma');
    expect(names(await list({ mode: 'community', sort_by: 'last_view', sort_direction: 'asc' }))).toEqual([
      'Gamma',
      'beta',
    ]);
    expect((await list({ sort_by: 'size' })).status).toBe(422);
  });

  test('finds by beginnings of words, in any case, in tags, and with a typo', async () => {
    const { call, person, project } = shared;
    const { token } = await person();
    const forecast = await project(token, { name: 'Electricity forecast', description: 'Hourly demand of the island' });
    await project(token, { name: 'Portfolio review' });
    await call('POST', `/v1/notebooks/${forecast.id}/tags`, {
      token,
      body: { names: ['Energy', 'energy', 'Weather'] },
    });
    const search = async (text: string) =>
      names(await call<List>('GET', '/v1/notebooks', { token, query: { search: text } }));
    for (const text of ['electr', 'FORECAST', 'demand island', 'weath', 'electricty', 'forcast']) {
      expect(await search(text), text).toEqual(['Electricity forecast']);
    }
    expect(await search('zebra')).toEqual([]);
    expect(await search("'); drop table projects; --")).toEqual([]);
    expect(await search('!!!')).toEqual([]);
    const tagged = await call<List>('GET', '/v1/notebooks', { token, query: { 'tags[]': ['energy', 'weather'] } });
    expect(names(tagged)).toEqual(['Electricity forecast']);
    expect(tagged.body.entries[0]?.tags.map((tag) => tag.name)).toEqual(['Energy', 'Weather']);
  });
});
