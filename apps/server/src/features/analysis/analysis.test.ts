import type { AnalyticsCounts, ProjectDetail, RelatedProject } from '@atoll/contract';
import { expect, test } from 'vitest';
import { createSharedApp } from '../../test/test-app.ts';

const app = await createSharedApp();

const clone = async (token: string, id: string, name: string) =>
  (await app.call<ProjectDetail>('POST', `/v1/notebooks/${id}/clone`, { token, body: { name } })).body.id;
const open = (token: string, id: string) =>
  app.call('PATCH', `/v1/notebooks/${id}`, { token, body: { visibility: 'open' } });

test('where a project came from and what became of it, as far as one may see', async () => {
  const [ada, eve] = [await app.person(), await app.person()];
  const { id: root } = await app.project(ada.token, { name: 'Root' });
  await open(ada.token, root);
  const middle = await clone(eve.token, root, 'Middle');
  await open(eve.token, middle);
  const leaf = await clone(ada.token, middle, 'Leaf');
  const binned = await clone(ada.token, root, 'Binned');
  await app.call('DELETE', `/v1/notebooks/${binned}`, { token: ada.token });
  await app.call('PATCH', `/v1/notebooks/${middle}`, { token: eve.token, body: { visibility: 'private' } });
  const provenance = async (id: string, token: string) =>
    (
      await app.get<{ entries: { project: RelatedProject | null }[] }>(token, `/v1/notebooks/${id}/analysis/provenance`)
    ).body.entries.map(({ project }) => project?.name ?? null);
  expect(await provenance(leaf, ada.token)).toEqual([null, 'Root']);
  expect(await provenance(middle, eve.token)).toEqual(['Root']);
  expect(await provenance(root, ada.token)).toEqual([]);
  const inheritance = async (token: string) =>
    (
      await app.get<{ entries: { parent_id: string | null; project: RelatedProject }[]; hidden_count: number }>(
        token,
        `/v1/notebooks/${root}/analysis/inheritance`,
      )
    ).body;
  expect(await inheritance(ada.token)).toMatchObject({
    entries: [{ depth: 2, parent_id: null, project: { id: leaf, name: 'Leaf' } }],
    hidden_count: 1,
    is_complete: true,
  });
  expect(await inheritance(eve.token)).toMatchObject({
    entries: [{ depth: 1, parent_id: root, project: { id: middle } }],
    hidden_count: 1,
  });
  for (const what of ['analysis/provenance', 'analysis/inheritance', 'analytics'])
    expect((await app.call('GET', `/v1/notebooks/${leaf}/${what}`, { token: eve.token })).status).toBe(404);
});

interface Analytics {
  entries: (AnalyticsCounts & { start: string })[];
  totals: AnalyticsCounts;
  from: string;
  to: string;
}

test('views, clones, runs and shares are counted by day, week and month', async () => {
  const [ada, eve] = [await app.person(), await app.person()];
  const { id, default_file_id } = await app.project(ada.token, { create_main_file: true });
  await open(ada.token, id);
  const publication = await app.patch<{ id: string }>(ada.token, `/v1/publications/files/${default_file_id}`, {
    access_level: 'public',
  });
  await app.post(eve.token, `/v1/publications/${publication.body.id}/stats`, { stat_name: 'view' });
  const ask = (query: Record<string, string> = {}, token = ada.token) =>
    app.call<Analytics>('GET', `/v1/notebooks/${id}/analytics`, { token, query });
  await app.call('GET', `/v1/notebooks/${id}`, { token: eve.token });
  await app.call('GET', `/v1/notebooks/${id}`, { token: eve.token });
  await clone(eve.token, id, 'Copy');
  await app.call('POST', `/v1/notebooks/${id}/runs`, { token: ada.token, body: {} });
  await app.share(ada.token, id, eve.id, ['view']);
  const today = new Date(app.clock.time).toISOString().slice(0, 10);
  const { body } = await ask();
  expect(body.to).toBe(today);
  expect(body.entries).toHaveLength(30);
  expect(body.entries.at(-1)).toMatchObject({ start: today, clones: 1, runs: 1, shares: 1, publication_views: 1 });
  expect(body.totals.views).toBeGreaterThanOrEqual(1);
  expect(body.entries.at(-1)?.views).toBe(body.totals.views);
  const months = await ask({ group_by: 'month', from: '2024-01-15', to: '2024-03-01' });
  expect(months.body.entries.map(({ start }) => start)).toEqual(['2024-01-01', '2024-02-01', '2024-03-01']);
  const weeks = await ask({ group_by: 'week', from: '2024-01-03', to: '2024-01-09' });
  expect(weeks.body.entries.map(({ start }) => start)).toEqual(['2024-01-01', '2024-01-08']);
  const refused: Record<string, string>[] = [
    { from: '2024-02-01', to: '2024-01-01' },
    { from: '2010-01-01', to: '2024-01-01' },
    { from: 'yesterday' },
    { group_by: 'year' },
  ];
  for (const query of refused) expect((await ask(query)).status, JSON.stringify(query)).toBe(422);
  expect((await ask({}, eve.token)).status).toBe(403);
});
