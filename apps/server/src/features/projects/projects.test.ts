import type { ProjectDetail, Template, TemplateDetail } from '@atoll/contract';
import { readNotebook } from '@atoll/notebook';
import { eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { outsideTransaction } from '../../platform/db/transaction-scope.ts';
import { grant, type List, names, shared, useSharedApp } from '../../test/set-ups/projects.ts';
import { projects } from './table.ts';

useSharedApp();

describe('a project', () => {
  test('is made with the main file of its kind, and its maker may do everything', async () => {
    const { call, person, project } = shared;
    const { token, id } = await person();
    const made = await project(token, { kind: 'strategy', create_main_file: true, description: 'Buy low' });
    expect(made).toMatchObject({
      name: 'Tides',
      kind: 'strategy',
      visibility: 'private',
      owner: { id },
      language: 'python',
    });
    expect(made.permissions).toHaveLength(17);
    const tree = await call<{ files: { id: string; path: string; kind: string }[] }>(
      'GET',
      `/v1/notebooks/${made.id}/files-dirs`,
      { token },
    );
    expect(tree.body.files).toMatchObject([
      { id: made.default_file_id, path: 'main.strat', kind: 'strategy' },
      { path: 'strategy.ts' },
    ]);
  });

  test('shows what is in a template before it is used', async () => {
    const { call, person } = shared;
    const { token } = await person();
    const detail = (name: string) => call<TemplateDetail>('GET', `/v1/project_templates/${name}`, { token });
    const { body } = await detail('explore-csv');
    expect(body.files.map(({ path }) => path)).toEqual(['main.ipynb', 'data/sales.csv']);
    expect(body.cells[0]).toMatchObject({ type: 'markdown' });
    expect((await detail('strategy-breakout-python')).body.cells[0]?.source).toContain('class');
    expect((await detail('none')).status).toBe(404);
  });

  test('can start from each template, and each can be read', async () => {
    const { call, person, project, promote } = shared;
    const { token, id } = await person();
    await promote(id);
    const { body } = await call<{ entries: Template[] }>('GET', '/v1/project_templates');
    expect(body.entries.map((template) => template.name)).toContain('vlsm');
    for (const template of body.entries) {
      const made = await project(token, { template: template.name });
      const content = await call('GET', `/v1/notebooks/${made.id}/file_raw_contents/${made.default_file_id}`, {
        token,
      });
      const document = typeof content.body === 'string' ? JSON.parse(content.body) : content.body;
      expect(document).toMatchObject(
        template.kind === 'strategy' ? { format: 1, kind: 'strategy' } : { nbformat: 4, nbformat_minor: 5 },
      );
    }
    expect((await call('POST', '/v1/notebooks', { token, body: { name: 'x', template: 'nothing' } })).status).toBe(422);
  });

  test.each([
    [
      'sales.csv',
      'region;date;revenue\nNorth;2026-01-01;12\nSouth;2026-01-02;30\n',
      ['sep=";"', 'parse_dates=["date"]', 'trend'],
    ],
    ['ports.json', '[{"port":"Oslo","ships":3},{"port":"Bergen","ships":5}]', ['read_json("ports.json")', 'totals']],
    ['heights.tsv', 'height\n1.5\n1.7\n', ['sep="\\t"', 'maxbins']],
  ])('from the table %s has a notebook that reads it and draws a chart', async (name, content, expected) => {
    const { call, person, project, upload } = shared;
    const { token } = await person();
    const made = await project(token, { upload_id: await upload(token, content, name) });
    const tree = await call<{ files: { id: string; path: string }[] }>('GET', `/v1/notebooks/${made.id}/files-dirs`, {
      token,
    });
    expect(tree.body.files.map(({ path }) => path).sort()).toEqual([name, 'main.ipynb'].sort());
    const source = await call<string>('GET', `/v1/notebooks/${made.id}/file_raw_contents/${made.default_file_id}`, {
      token,
    });
    const code = readNotebook(source.body).cells.map((cell) => cell.source);
    for (const part of expected) expect(code.join('\n')).toContain(part);
  });

  test('is not created from a table that cannot be read', async () => {
    const { call, person, upload } = shared;
    const { token } = await person();
    const body = { name: 'Broken', upload_id: await upload(token, 'no parquet', 'broken.parquet') };
    const answer = await call<{ message: string }>('POST', '/v1/notebooks', { token, body });
    expect(answer.status).toBe(422);
  });

  test('is private: a stranger and a passer-by find nothing there', async () => {
    const { call, person, project } = shared;
    const [ada, eve] = [await person(), await person()];
    const { id } = await project(ada.token, { create_main_file: true });
    for (const token of [eve.token, undefined]) {
      expect((await call('GET', `/v1/notebooks/${id}`, { token })).status).toBe(404);
      expect((await call('GET', `/v1/notebooks/${id}/files-dirs`, { token })).status).toBe(404);
    }
    expect((await call('PATCH', `/v1/notebooks/${id}`, { token: eve.token, body: { name: 'Mine' } })).status).toBe(404);
    expect((await call('DELETE', `/v1/notebooks/${id}`, { token: eve.token })).status).toBe(404);
  });

  test('public is read unless its owner hides the source, open is copied, and neither is changed', async () => {
    const { call, person, project } = shared;
    const [ada, eve] = [await person(), await person()];
    const { id } = await project(ada.token, { create_main_file: true, visibility: 'public' });
    const seen = await call<ProjectDetail>('GET', `/v1/notebooks/${id}`, { token: eve.token });
    expect(seen.body.permissions).toEqual(['view', 'view_source', 'view_publications', 'comment']);
    expect((await call('GET', `/v1/notebooks/${id}/files-dirs`, { token: eve.token })).status).toBe(200);
    await call('PATCH', `/v1/notebooks/${id}`, { token: ada.token, body: { hides_source: true } });
    expect((await call('GET', `/v1/notebooks/${id}/files-dirs`, { token: eve.token })).status).toBe(403);
    expect((await call('POST', `/v1/notebooks/${id}/clone`, { token: eve.token, body: {} })).status).toBe(403);
    await call('PATCH', `/v1/notebooks/${id}`, { token: ada.token, body: { visibility: 'open' } });
    expect((await call('GET', `/v1/notebooks/${id}/files-dirs`)).status).toBe(200);
    const denied = await call('PATCH', `/v1/notebooks/${id}`, { token: eve.token, body: { name: 'Mine' } });
    expect(denied.status).toBe(403);
    expect(denied.body.details.reason).toBe('no_permissions');
  });

  test('a grant gives what it says, makes it shared, and changing who sees it needs the right to share', async () => {
    const app = shared;
    const [ada, bob] = [await app.person(), await app.person()];
    const { id } = await app.project(ada.token, { create_main_file: true });
    await grant(app, id, bob.id, ['edit'], true);
    const seen = await app.call<ProjectDetail>('GET', `/v1/notebooks/${id}`, { token: bob.token });
    expect(seen.body).toMatchObject({
      is_shared: true,
      permissions: ['view', 'view_source', 'comment', 'edit', 'view_history'],
    });
    expect(seen.body.authors.map((author) => author.id)).toEqual([ada.id, bob.id]);
    const change = (body: object) => app.call('PATCH', `/v1/notebooks/${id}`, { token: bob.token, body });
    expect((await change({ name: 'Ours' })).status).toBe(200);
    expect((await change({ visibility: 'open' })).status).toBe(403);
    expect((await change({ hides_source: true })).status).toBe(403);
    expect((await app.call('DELETE', `/v1/notebooks/${id}`, { token: bob.token })).status).toBe(403);
    expect(
      (await app.call('PATCH', `/v1/notebooks/${id}/owner`, { token: bob.token, body: { user_id: bob.id } })).status,
    ).toBe(403);
  });

  test('is deleted to the bin, restored, and deleted permanently by its own call only; after 30 days the bin is emptied', async () => {
    const { call, person, project, app, clock } = shared;
    const { token } = await person();
    const [first, second] = [await project(token), await project(token, { name: 'Second' })];
    const path = `/v1/notebooks/${first.id}`;
    expect((await call('DELETE', path, { token })).status).toBe(200);
    expect(names(await call<List>('GET', '/v1/notebooks', { token }))).toEqual(['Second']);
    expect(names(await call<List>('GET', '/v1/notebooks', { token, query: { 'mode_filter[]': 'deleted' } }))).toEqual([
      'Tides',
    ]);
    expect((await call('PATCH', path, { token, body: { name: 'x' } })).status).toBe(404);
    expect((await call('POST', `${path}/restore`, { token })).status).toBe(200);
    expect((await call('PATCH', path, { token, body: { name: 'x' } })).status).toBe(200);
    expect((await call('DELETE', `${path}/permanently`, { token })).status).toBe(409);
    await call('DELETE', path, { token });
    expect((await call('DELETE', path, { token })).status).toBe(200);
    expect((await call('GET', path, { token })).status).toBe(200);
    expect((await call('DELETE', `${path}/permanently`, { token: (await person()).token })).status).toBe(404);
    expect((await call('DELETE', `${path}/permanently`, { token })).status).toBe(200);
    expect((await call('GET', path, { token })).status).toBe(404);
    await call('DELETE', `/v1/notebooks/${second.id}`, { token });
    clock.advance(31 * 24 * 60 * 60_000);
    const { sweepProjects } = await import('./service/write.ts');
    await sweepProjects(app.system());
    expect((await call('GET', `/v1/notebooks/${second.id}`, { token })).status).toBe(404);
  });

  test('counts who follows its owner and who looks into its data, and knows the newest version that ran', async () => {
    const { call, person, project, upload, clock } = shared;
    const [ada, eve] = [await person(), await person()];
    const { id, default_file_id } = await project(ada.token, { create_main_file: true, visibility: 'open' });
    const seen = async () => (await call<ProjectDetail>('GET', `/v1/notebooks/${id}`, { token: ada.token })).body;
    const before = await seen();
    expect(before).toMatchObject({ latest_version_id: expect.any(String), latest_ok_version_id: null });
    expect(before.stats).toMatchObject({ analyze_count: 0, follow_count: 0 });
    await call('POST', `/v1/users/${ada.id}/follow`, { token: eve.token });
    const body = { name: 'a.csv', upload_id: await upload(ada.token, 'x\n1\n', 'a.csv') };
    const file = await call<{ id: string }>('POST', `/v1/notebooks/${id}/files-contents`, { token: ada.token, body });
    const look = (token: string) => call('GET', `/v1/notebooks/${id}/files/${file.body.id}/data`, { token });
    for (const token of [ada.token, eve.token, eve.token]) expect((await look(token)).status).toBe(200);
    expect((await seen()).stats).toMatchObject({ analyze_count: 2, follow_count: 1 });
    clock.advance(31 * 60_000);
    await look(eve.token);
    expect((await seen()).stats.analyze_count).toBe(3);
    await call('POST', `/v1/notebooks/${id}/runs`, { token: ada.token, body: { project_file_id: default_file_id } });
    await expect.poll(async () => (await seen()).latest_ok_version_id).toBe(before.latest_version_id);
  });

  test.runIf(process.env.TEST_DATABASE === 'postgres')('tags and pictures leave alone what others change', async () => {
    const { call, person, project, database } = shared;
    const { token } = await person();
    const { id } = await project(token);
    const path = `/v1/notebooks/${id}`;
    for (const act of [
      () => call('POST', `${path}/tags`, { token, body: { names: ['tide'] } }),
      () => call('DELETE', `${path}/showcase_media`, { token }),
    ]) {
      const section = crypto.randomUUID();
      const acting = await database.db.transaction(async (tx) => {
        await tx.update(projects).set({ section }).where(eq(projects.id, id));
        // Another person's request, which knows nothing of this transaction.
        const answer = outsideTransaction(act);
        const waiting = sql`select 1 from pg_locks where not granted`;
        const isWaiting = async () => ((await tx.execute(waiting)) as unknown as { rows: unknown[] }).rows.length > 0;
        await expect.poll(isWaiting).toBe(true);
        return { answer };
      });
      expect((await acting.answer).status).toBe(200);
      expect((await call<ProjectDetail>('GET', path, { token })).body.section).toBe(section);
    }
  });

  test('a clone has the same files without copying bytes, its own history, and counts', async () => {
    const { call, person, project } = shared;
    const [ada, eve] = [await person(), await person()];
    const original = await project(ada.token, { template: 'explore-csv', visibility: 'open' });
    const clone = await call<ProjectDetail>('POST', `/v1/notebooks/${original.id}/clone`, {
      token: eve.token,
      body: {},
    });
    expect(clone.body).toMatchObject({
      name: 'Tides (copy)',
      visibility: 'private',
      parent: { id: original.id },
      owner: { id: eve.id },
    });
    const tree = async (id: string, token: string) =>
      (
        await call<{ files: { id: string; path: string; size: number }[]; directories: unknown[] }>(
          'GET',
          `/v1/notebooks/${id}/files-dirs`,
          { token },
        )
      ).body;
    const [before, after] = [await tree(original.id, ada.token), await tree(clone.body.id, eve.token)];
    expect(after.files.map(({ path, size }) => ({ path, size }))).toEqual(
      before.files.map(({ path, size }) => ({ path, size })),
    );
    expect(after.directories).toHaveLength(before.directories.length);
    const ids = await call<{ ids: Record<string, string> }>('POST', `/v1/notebooks/${original.id}/cloned-ids`, {
      token: eve.token,
      body: { file_ids: before.files.map((file) => file.id), clone_notebook_id: clone.body.id },
    });
    expect(Object.values(ids.body.ids).sort()).toEqual(after.files.map((file) => file.id).sort());
    expect(clone.body.default_file_id).toBe(ids.body.ids[original.default_file_id ?? '']);
    const counted = await call<ProjectDetail>('GET', `/v1/notebooks/${original.id}`, { token: ada.token });
    expect(counted.body.stats.clone_count).toBe(1);
  });

  test('a view counts once in half an hour', async () => {
    const { call, person, project, clock } = shared;
    const [ada, eve] = [await person(), await person()];
    const { id } = await project(ada.token, { visibility: 'public' });
    const look = async () =>
      (await call<ProjectDetail>('GET', `/v1/notebooks/${id}`, { token: eve.token })).body.stats.view_count;
    expect([await look(), await look()]).toEqual([1, 1]);
    clock.advance(31 * 60_000);
    expect(await look()).toBe(2);
  });

  const picture = () =>
    sharp({ create: { width: 2_000, height: 1_000, channels: 3, background: '#abc' } })
      .png()
      .toBuffer();

  test('has a thumbnail', async () => {
    const { call, person, project, upload } = shared;
    const { token } = await person();
    const { id } = await project(token);
    const path = `/v1/notebooks/${id}/thumbnail`;
    const set = await call<ProjectDetail>('POST', path, {
      token,
      body: { upload_id: await upload(token, await picture(), 'x.png') },
    });
    expect(set.body.thumbnail).toBeTruthy();
    expect((await call<ProjectDetail>('DELETE', path, { token })).body.thumbnail).toBeNull();
  });

  test('shows itself off with pictures and films, in the order its editors want', async () => {
    const { call, person, project, upload } = shared;
    const [{ token }, eve] = [await person(), await person()];
    const { id } = await project(token, { visibility: 'public' });
    const path = `/v1/notebooks/${id}/showcase_media`;
    const film = Buffer.concat([
      Buffer.from([0, 0, 0, 24]),
      Buffer.from('ftypisom\0\0\x02\0isomiso2', 'latin1'),
      Buffer.alloc(500, 7),
    ]);
    const add = async (content: Buffer, name: string) =>
      call<ProjectDetail>('POST', path, { token, body: { upload_id: await upload(token, content, name) } });
    await add(await picture(), 'a.png');
    const two = (await add(film, 'b.mp4')).body.showcase_media;
    expect(two.map(({ mime_type }) => mime_type)).toEqual(['image/webp', 'video/mp4']);
    const part = await call('GET', two[1]?.url ?? '', { headers: { range: 'bytes=8-11' } });
    expect(part).toMatchObject({ status: 206, body: 'isom' });
    expect(part.headers).toMatchObject({ 'content-type': 'video/mp4', 'content-range': 'bytes 8-11/524' });

    const order = (media_ids: string[]) => call<ProjectDetail>('PUT', path, { token, body: { media_ids } });
    const ids = two.map((media) => media.id);
    const turned = [...ids].reverse();
    expect((await order(turned)).body.showcase_media.map((media) => media.id)).toEqual(turned);
    for (const wrong of [[], ids.slice(1), [...ids, id], [ids[0] ?? '', ids[0] ?? '']])
      expect((await order(wrong)).status).toBe(422);
    const listed = await call<List>('GET', '/v1/notebooks', { token });
    expect(listed.body.entries[0]?.showcase_media.map((media) => media.id)).toEqual(turned);

    expect((await add(Buffer.from('<svg/>'), 'c.png')).status).toBe(422);
    expect((await call('DELETE', path, { token: eve.token, body: {} })).status).toBe(403);
    expect((await call('DELETE', path, { token, body: { media_id: id } })).status).toBe(404);
    const one = await call<ProjectDetail>('DELETE', path, { token, body: { media_id: ids[0] } });
    expect(one.body.showcase_media.map((media) => media.id)).toEqual([ids[1]]);
    for (let count = 0; count < 7; count++) expect((await add(film, 'b.mp4')).status).toBe(200);
    expect((await add(film, 'b.mp4')).status).toBe(422);
    expect((await call<ProjectDetail>('DELETE', path, { token })).body.showcase_media).toEqual([]);
    expect((await call('GET', two[1]?.url ?? '')).status).toBe(404);
  });
});
