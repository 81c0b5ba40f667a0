import {
  type Comment,
  type LiveOutput,
  type Notification,
  notificationPath,
  notificationWords,
  type ProjectDetail,
  type Publication,
  type PublicationVersion,
  topicName,
  topics,
} from '@atoll/contract';
import { expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { connect, join } from '../../test/realtime-client.ts';
import { createTestApp } from '../../test/test-app.ts';
import { secretsOf } from '../kernels/service/secrets.ts';
import { sweepCopies } from './service/copies.ts';
import { code, html, markdown, notebook, notebookIn, publish, read } from './test-publications.ts';

test('a notebook is published, read by anyone, updated on purpose, and put back', async () => {
  const app = await createTestApp();
  const ada = await app.person();
  const { fileId } = await notebookIn(app, ada.token, notebook(markdown('# High water\n\ntext'), code('1+1')));
  const first = await publish(app, ada.token, fileId, { access_level: 'public', title: 'High water', tags: ['Tides'] });
  expect(first.body).toMatchObject({ slug: 'high-water', version_number: 1, type: 'article', access_level: 'public' });
  expect(first.body.published_at).not.toBeNull();
  const page = await read(app, 'high-water');
  // Its project is private.
  expect(page.body.project.name).toBe('High water');
  expect(page.body).toMatchObject({ title: 'High water', tags: [{ name: 'Tides' }], owner: { id: ada.id } });
  expect(page.body.html).toContain('<h2 id="at-high-water">');
  expect(page.body.html).toContain('<span class="tok-number">1</span>');
  expect(page.body.toc).toEqual([{ level: 1, text: 'High water', anchor: 'at-high-water' }]);

  const upload_id = await app.upload(ada.token, notebook(markdown('# Low water')), 'tides.ipynb');
  await app.patch(ada.token, `/v1/notebooks/${first.body.project.id}/files-contents/${fileId}`, { upload_id });
  expect((await read(app, 'high-water')).body.html).toContain('High water');
  const state = await app.get<{ has_changes: boolean }>(ada.token, `/v1/publications/files/${fileId}`);
  expect(state.body.has_changes).toBe(true);
  expect((await publish(app, ada.token, fileId, { publish_version: true })).body.version_number).toBe(2);
  expect((await read(app, 'high-water')).body.html).toContain('Low water');
  expect((await read(app, 'high-water', undefined, 1)).body.html).toContain('High water');
  const versions = await app.call<{ entries: PublicationVersion[] }>(
    'GET',
    `/v1/publications/${first.body.id}/versions`,
  );
  expect(versions.body.entries.map(({ number, is_current }) => [number, is_current])).toEqual([
    [2, true],
    [1, false],
  ]);
  const back = await app.post<Publication>(ada.token, `/v1/publications/${first.body.id}/versions/1/restore`);
  expect(back.body.version_number).toBe(1);
  expect((await read(app, 'high-water')).body.html).toContain('High water');
});

test('each access level is read by those it names; withdrawn rights and deleted projects end it', async () => {
  const app = await createTestApp();
  const [ada, bob, eve] = [await app.person(), await app.person(), await app.person()];
  const { projectId, fileId } = await notebookIn(app, ada.token, notebook(markdown('hello')));
  const grant = await app.share(ada.token, projectId, bob.id, ['view', 'view_publications']);
  const { slug } = (await publish(app, ada.token, fileId, { title: 'Levels', publish_version: true })).body;
  const statuses = async () =>
    Promise.all(
      [ada.token, bob.token, eve.token, undefined].map(async (token) => (await read(app, slug, token)).status),
    );
  expect(await statuses()).toEqual([200, 404, 404, 404]);
  await publish(app, ada.token, fileId, { access_level: 'collaborator_shared' });
  expect(await statuses()).toEqual([200, 200, 404, 404]);
  await app.call('DELETE', `/v1/notebooks/${projectId}/user_permissions/${grant.body.id}`, { token: ada.token });
  expect(await statuses()).toEqual([200, 404, 404, 404]);
  await publish(app, ada.token, fileId, { access_level: 'link_shared' });
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  const listed = async () =>
    (await app.call<{ entries: Publication[] }>('GET', '/v1/publications')).body.entries.map((each) => each.slug);
  expect(await listed()).toEqual([]);
  await publish(app, ada.token, fileId, { access_level: 'public' });
  expect(await listed()).toEqual([slug]);
  await app.call('DELETE', `/v1/notebooks/${projectId}`, { token: ada.token });
  expect(await statuses()).toEqual([404, 404, 404, 404]);
  expect(await listed()).toEqual([]);
});

test('only people who may publish do, and nobody takes the address of another', async () => {
  const app = await createTestApp();
  const [ada, eve] = [await app.person(), await app.person()];
  const one = await notebookIn(app, ada.token, notebook(markdown('one')), { visibility: 'public' });
  const other = await notebookIn(app, eve.token, notebook(markdown('other')));
  expect((await publish(app, eve.token, one.fileId, { title: 'Mine' })).status).toBe(403);
  const guest = await app.guest();
  const theirs = await notebookIn(app, guest.token, notebook(markdown('spam')));
  expect((await publish(app, guest.token, theirs.fileId, { title: 'Spam', access_level: 'public' })).status).toBe(403);
  await publish(app, ada.token, one.fileId, { title: 'Harbour', access_level: 'public' });
  const taken = await publish(app, eve.token, other.fileId, { slug: 'harbour', access_level: 'public' });
  expect([taken.status, taken.body.fields]).toEqual([422, { slug: ['This address is taken. Choose another one.'] }]);
  await publish(app, ada.token, one.fileId, { slug: 'harbour-of-oslo' });
  const earlier = await publish(app, eve.token, other.fileId, { slug: 'harbour', access_level: 'public' });
  expect(earlier.status).toBe(422);
  expect((await read(app, 'harbour')).body.slug).toBe('harbour-of-oslo');
  await publish(app, ada.token, one.fileId, { slug: 'harbour' });
  expect((await read(app, 'harbour-of-oslo')).body.slug).toBe('harbour');
  expect((await publish(app, eve.token, other.fileId, { title: 'Harbour' })).body.slug).toBe('harbour-2');
  const atOnce = await Promise.all(
    Array.from({ length: 4 }, async () => notebookIn(app, ada.token, notebook(markdown('same')))),
  );
  const answers = await Promise.all(atOnce.map((each) => publish(app, ada.token, each.fileId, { title: 'Same name' })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map(({ body }) => body.slug)).size).toBe(4);
  for (const slug of ['../x', 'A', 'a--b', 'ü'])
    expect((await publish(app, eve.token, other.fileId, { slug })).status).toBe(422);
});

test('what people write cannot run or reach out', async () => {
  const app = await createTestApp();
  const ada = await app.person();
  const hostile = [
    '<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a>',
    '<svg onload=alert(1)><style>*{}</style><iframe srcdoc="<script>1</script>"></iframe>',
    '<span data-formula="00000000-0000-0000-0000-000000000000-0"></span><img src="https://spy.example/x.png">',
    '[x](javascript:alert(1)) <form action="/x"><input></form> <p style="position:fixed;color:red">y</p>',
  ].join('\n\n');
  const { fileId } = await notebookIn(app, ada.token, notebook(markdown(hostile), code('x', [html(hostile)])));
  const title = '<script>alert(1)</script>';
  const { slug } = (await publish(app, ada.token, fileId, { title, access_level: 'public' })).body;
  const { body } = await read(app, slug);
  expect(body.html).not.toMatch(
    /<(script|svg|style|iframe|form|input)|onerror|javascript:[^<]*"|src="[^"]*spy\.example|position/i,
  );
  // The reader decides whether to follow the link.
  expect(body.html).toContain('<a href="https://spy.example/x.png"');
  expect(body.title).toBe(title);
  expect(slug).toBe('script-alert-1-script');
});

test('cells are left out and code is hidden where the author says so', async () => {
  const app = await createTestApp();
  const ada = await app.person();
  const { fileId } = await notebookIn(
    app,
    ada.token,
    notebook(
      markdown('seen'),
      markdown('unseen'),
      code('secret_code()', [{ output_type: 'stream', name: 'stdout', text: 'told' }]),
    ),
  );
  const payload = { shows_code: false, hidden_cell_ids: ['c1'] };
  const { slug } = (await publish(app, ada.token, fileId, { title: 'Parts', access_level: 'public', payload })).body;
  const { html: shown } = (await read(app, slug)).body;
  expect(shown).toContain('seen');
  expect(shown).toContain('told');
  expect(shown).not.toMatch(/unseen|secret_code/);
  await publish(app, ada.token, fileId, { payload: { shows_code: true } });
  expect((await read(app, slug)).body.html).toContain('secret_code');
});

test('a person claps once, a visitor is counted once a day, a share each time', async () => {
  const app = await createTestApp();
  const [ada, bob] = [await app.person(), await app.person()];
  const { fileId } = await notebookIn(app, ada.token, notebook(markdown('x')));
  const { id, slug } = (await publish(app, ada.token, fileId, { title: 'Counted', access_level: 'public' })).body;
  const clap = (method: string, token: string) => app.call(method, `/v1/publications/${id}/clap`, { token });
  await Promise.all(Array.from({ length: 5 }, () => clap('POST', bob.token)));
  expect((await clap('POST', ada.token)).body).toEqual({ clap_count: 2, has_clapped: true });
  expect((await clap('DELETE', bob.token)).body).toEqual({ clap_count: 1, has_clapped: false });
  expect((await clap('DELETE', bob.token)).body).toEqual({ clap_count: 1, has_clapped: false });
  expect((await clap('POST', '')).status).toBe(401);
  const count = (stat_name: string, token?: string) =>
    app.call('POST', `/v1/publications/${id}/stats`, { token, body: { stat_name } });
  for (let time = 0; time < 3; time++) {
    await count('view', bob.token);
    await count('view');
    await count('share', bob.token);
  }
  const counted = (await read(app, slug)).body;
  expect([counted.view_count, counted.share_count, counted.clap_count]).toEqual([2, 3, 1]);
  app.clock.advance(24 * 60 * 60_000);
  await count('view', bob.token);
  expect((await read(app, slug)).body.view_count).toBe(3);
});

test('publications are found by words, tags, category, type and owner, in every order', async () => {
  const app = await createTestApp();
  const [ada, bob] = [await app.person(), await app.person()];
  const add = async (token: string, body: object) => {
    const { fileId } = await notebookIn(app, token, notebook(markdown('x')));
    app.clock.advance(1_000);
    await publish(app, token, fileId, { access_level: 'public', ...body });
  };
  await add(ada.token, { title: 'Alpha waves', category: 'research', tags: ['sea'] });
  await add(ada.token, { title: 'Beta prices', category: 'finance', type: 'report', description: 'of waves' });
  await add(bob.token, { title: 'Gamma rays', category: 'research', tags: ['Sea', 'sky'] });
  const titles = async (query: Record<string, string | string[]>) =>
    (await app.call<{ entries: Publication[] }>('GET', '/v1/publications', { query })).body.entries.map(
      (each) => each.title,
    );
  expect(await titles({})).toEqual(['Gamma rays', 'Beta prices', 'Alpha waves']);
  expect(await titles({ search: 'wav' })).toEqual(['Beta prices', 'Alpha waves']);
  expect(await titles({ tags: 'sea' })).toEqual(['Gamma rays', 'Alpha waves']);
  expect(await titles({ category: 'finance' })).toEqual(['Beta prices']);
  expect(await titles({ type: 'report' })).toEqual(['Beta prices']);
  expect(await titles({ owner: bob.user_name })).toEqual(['Gamma rays']);
  expect(await titles({ sort_by: 'title', sort_direction: 'asc' })).toEqual([
    'Alpha waves',
    'Beta prices',
    'Gamma rays',
  ]);
  expect(await titles({ page: '1', page_size: '2' })).toEqual(['Alpha waves']);
  expect(await titles({ search: "'; drop table x & | !" })).toEqual([]);
  const counts = await app.call<{ total: number; categories: Record<string, number>; types: Record<string, number> }>(
    'GET',
    '/v1/publications/counts',
  );
  expect(counts.body).toMatchObject({
    total: 3,
    categories: { research: 2, finance: 1 },
    types: { article: 2, report: 1 },
  });
});

test('the cover is a picture that a cell shows, drawn anew', async () => {
  const app = await createTestApp();
  const ada = await app.person();
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
  const picture = { output_type: 'display_data', data: { 'image/png': png }, metadata: {} };
  const { fileId } = await notebookIn(app, ada.token, notebook(code('plot()', [picture]), markdown('x')));
  const made = await publish(app, ada.token, fileId, { title: 'Cover', access_level: 'public', cover_cell_id: 'c0' });
  expect(made.body.cover_image).toMatch(/^\/api\/atoll\/v1\/assets\//);
  expect((await publish(app, ada.token, fileId, { cover_cell_id: 'c1' })).status).toBe(422);
  expect((await publish(app, ada.token, fileId, { cover_upload_id: null })).body.cover_image).toBeNull();
});

test('a reader runs a copy of their own: never the kernel, the files or the secrets of anybody', async () => {
  const app = await createTestApp();
  const [ada, bob] = [await app.person(), await app.person()];
  const { projectId, fileId } = await notebookIn(app, ada.token, notebook(code('print("hi")')));
  await app.call('POST', '/v1/secrets', { token: bob.token, body: { key: 'TOKEN', secret: 'bobs-secret' } });
  const { id } = (await publish(app, ada.token, fileId, { title: 'Run me', access_level: 'public' })).body;
  const open = (token: string) =>
    app.call<{ project_id: string; file_id: string }>('POST', `/v1/publications/${id}/copy`, { token });
  expect((await open(bob.token)).status).toBe(403);
  expect(
    (await publish(app, ada.token, fileId, { execution_enabled: true, payload: { shows_code: false } })).status,
  ).toBe(422);
  await publish(app, ada.token, fileId, { execution_enabled: true });
  const copies = await Promise.all([open(bob.token), open(bob.token)]);
  expect(copies[1]?.body).toEqual(copies[0]?.body);
  const copy = copies[0]?.body ?? { project_id: '', file_id: '' };
  expect(copy.project_id).not.toBe(projectId);
  const project = await app.get<{ owner: { id: string } }>(bob.token, `/v1/notebooks/${copy.project_id}`);
  expect(project.body.owner.id).toBe(bob.id);
  const listed = await app.call<{ total: number }>('GET', '/v1/notebooks', { token: bob.token, query: { mode: 'my' } });
  expect(listed.body.total).toBe(0);
  expect((await app.call('GET', `/v1/notebooks/${copy.project_id}`, { token: ada.token })).status).toBe(404);
  const ctx = app.app.system();
  expect(await secretsOf(ctx, ctx.db, { userId: bob.id, projectId: copy.project_id })).toEqual({});
  app.clock.advance(25 * 60 * 60_000);
  await sweepCopies(ctx);
  expect((await open(bob.token)).body.project_id).not.toBe(copy.project_id);
});

test('a copy is called as the file and is of its kind; what is for collaborators is run by those who may run it', async () => {
  const app = await createTestApp();
  const [ada, bob] = [await app.person(), await app.person()];
  const { id: projectId } = await app.project(ada.token, { name: 'Boards' });
  const file = await app.createFile(ada.token, projectId, 'boards/tides.mpsw', notebook(code('1')));
  const shared = { access_level: 'collaborator_shared', execution_enabled: true, title: 'Board' };
  const { id, slug } = (await publish(app, ada.token, file.body.id, shared)).body;
  const ofKind = async (content_kind: string) => {
    const query = { content_kind, access_level: 'collaborator_shared' };
    return (await app.call<{ total: number }>('GET', '/v1/publications', { token: ada.token, query })).body.total;
  };
  expect([await ofKind('canvases'), await ofKind('notebooks')]).toEqual([1, 0]);
  const open = () => app.post<{ project_id: string }>(bob.token, `/v1/publications/${id}/copy`);
  await app.share(ada.token, projectId, bob.id, ['view_publications']);
  expect((await read(app, slug, bob.token)).body.permissions).not.toContain('execute');
  expect((await open()).status).toBe(403);
  const grants = await app.get<{ entries: { id: string }[] }>(ada.token, `/v1/notebooks/${projectId}/user_permissions`);
  await app.patch(ada.token, `/v1/notebooks/${projectId}/user_permissions/${grants.body.entries[0]?.id}`, {
    permissions: ['execute_publications'],
  });
  expect((await read(app, slug, bob.token)).body.permissions).toContain('execute');
  const copy = (await open()).body;
  const { body } = await app.get<{ kind: string }>(bob.token, `/v1/notebooks/${copy.project_id}`);
  expect(body.kind).toBe('canvas');
  const tree = `/v1/notebooks/${copy.project_id}/files-dirs?dir=boards`;
  expect((await app.get<{ files: object[] }>(bob.token, tree)).body.files).toMatchObject([{ name: 'tides.mpsw' }]);
});

test('readers get the published file and its notebook by the publication, without what it hides and without events', async () => {
  const app = await createTestApp();
  const [ada, bob] = [await app.person(), await app.person()];
  const { projectId, fileId } = await notebookIn(app, ada.token, notebook(code('shown = 1'), code('hidden = 2')));
  const other = await app.createFile(ada.token, projectId, 'data.csv', 'a\n1');
  const draft = (await publish(app, ada.token, fileId, { title: 'Read me', access_level: 'public' })).body;
  const raw = (id: string, publication_id: string, token: string | null = bob.token) =>
    app.call('GET', `/v1/notebooks/${projectId}/file_raw_contents/${id}`, { token, query: { publication_id } });
  expect([(await raw(fileId, draft.id)).status, (await raw(fileId, draft.id, null)).status]).toEqual([200, 200]);
  expect((await raw(fileId, projectId, ada.token)).status).toBe(404);
  expect((await raw(other.body.id, draft.id, ada.token)).status).toBe(404);
  await publish(app, ada.token, fileId, { execution_enabled: true, execution_copy_project_files: true });
  expect((await raw(other.body.id, draft.id)).status).toBe(200);
  await publish(app, ada.token, fileId, { execution_enabled: false, payload: { hidden_cell_ids: ['c1'] } });
  expect([(await raw(fileId, draft.id)).status, (await raw(other.body.id, draft.id)).status]).toEqual([404, 404]);

  const topic = topicName(topics.notebook, { projectId, fileId });
  const owners = await join(await connect(app, ada.token), topic);
  const socket = await connect(app, bob.token);
  await expect(join(socket, topic)).rejects.toThrow();
  const reader = await join(socket, topic, { publication_id: draft.id });
  const { cells } = await reader.push('get_notebook', {});
  expect(cells).toMatchObject([{ id: 'c0', source: 'shown = 1' }]);
  await expect(reader.push('get_cell_output', { cell_id: 'c1' })).rejects.toThrow();
  await expect(reader.push('s3_files', {})).rejects.toMatchObject({ response: { reason: 'no_permissions' } });
  await owners.push('update_cell_source', { request_id: newId(), cell_id: 'c0', source: 'later = 3' });
  await owners.event('document_changed');
  expect(reader.events).toEqual([]);
  await publish(app, ada.token, fileId, { access_level: 'draft' });
  await expect(reader.push('get_notebook', {})).rejects.toThrow();
});

test('charts come alive: their data is told to readers, of the cells they may see', async () => {
  const app = await createTestApp();
  const ada = await app.person();
  const chart = { output_type: 'display_data', data: { 'application/vnd.vega.v6+json': { marks: [] } }, metadata: {} };
  const { fileId } = await notebookIn(
    app,
    ada.token,
    notebook(code('a', [{ output_type: 'stream', name: 'stdout', text: 'x' }, chart]), code('b', [chart])),
  );
  const { id, slug } = (
    await publish(app, ada.token, fileId, {
      title: 'Charts',
      access_level: 'public',
      payload: { hidden_cell_ids: ['c1'] },
    })
  ).body;
  expect((await read(app, slug)).body.html).toContain('data-live="1"');
  const live = await app.call<{ entries: LiveOutput[] }>('GET', `/v1/publications/${id}/live_outputs`);
  expect(live.body.entries.map(({ cell_id, index }) => [cell_id, index])).toEqual([['c0', 1]]);
});

test('a widget comes alive with the state it was saved with, and with nothing else of the notebook', async () => {
  const app = await createTestApp();
  const ada = await app.person();
  const widget = (model_name: string, state: object) => ({
    model_name,
    model_module: '@jupyter-widgets/controls',
    state,
  });
  const state = {
    shown: widget('LabelModel', { value: 'High water' }),
    other: widget('LabelModel', { value: 'secret' }),
  };
  const view = { 'application/vnd.jupyter.widget-view+json': { model_id: 'shown' } };
  const cells = JSON.parse(notebook(code('x', [{ output_type: 'display_data', data: view, metadata: {} }])));
  const metadata = { widgets: { 'application/vnd.jupyter.widget-state+json': { state, version_major: 2 } } };
  const { fileId } = await notebookIn(app, ada.token, JSON.stringify({ ...cells, metadata }));
  const { id, slug } = (await publish(app, ada.token, fileId, { title: 'Controls', access_level: 'public' })).body;
  expect((await read(app, slug)).body.html).toContain('data-live="0">High water</div>');
  const live = await app.call<{ entries: LiveOutput[] }>('GET', `/v1/publications/${id}/live_outputs`);
  expect(live.body.entries.map(({ output }) => 'data' in output && output.data)).toEqual([
    {
      ...view,
      'application/vnd.jupyter.widget-state+json': { model_id: 'shown', state: { shown: state.shown } },
    },
  ]);
});

test('readers comment on a publication of a project they cannot see', async () => {
  const app = await createTestApp();
  const [ada, bob] = [await app.person(), await app.person()];
  const { projectId, fileId } = await notebookIn(app, ada.token, notebook(markdown('x')));
  const { id } = (await publish(app, ada.token, fileId, { title: 'Talked about', access_level: 'public' })).body;
  const path = `/v1/notebooks/${projectId}/comments`;
  const say = (token: string | null, body: object) => app.call<{ id: string }>('POST', path, { token, body });
  const list = async (token: string | null, query: Record<string, string>) =>
    app.call<{ total: number }>('GET', path, { token, query });
  const first = await say(bob.token, { content: 'Well said', publication_id: id });
  expect(first.status).toBe(200);
  expect((await say(ada.token, { content: 'Thanks', reply_to: first.body.id, publication_id: id })).status).toBe(200);
  expect((await list(null, { publication_id: id })).body.total).toBe(1);
  expect((await list(ada.token, {})).body.total).toBe(0);
  expect((await list(bob.token, {})).status).toBe(404);
  expect((await say(bob.token, { content: 'x' })).status).toBe(404);
  expect((await say(null, { content: 'x', publication_id: id })).status).toBe(401);
  expect((await app.call('DELETE', `${path}/${first.body.id}`, { token: bob.token })).status).toBe(200);
  const project = await app.call<ProjectDetail>('GET', `/v1/notebooks/${projectId}`, { token: ada.token });
  expect(project.body.stats.comment_count).toBe(0);
  await publish(app, ada.token, fileId, { access_level: 'draft' });
  expect((await list(bob.token, { publication_id: id })).status).toBe(404);
});

test('comments of readers are told live and lead to the publication, as long as it can be read', async () => {
  const app = await createTestApp();
  const [ada, bob, eve] = [await app.person('ada'), await app.person('bob'), await app.person('eve')];
  const { projectId, fileId } = await notebookIn(app, ada.token, notebook(markdown('x')));
  const { id } = (await publish(app, ada.token, fileId, { title: 'Talked about', access_level: 'public' })).body;
  const path = `/v1/notebooks/${projectId}/comments`;
  const say = async (token: string, content: string, reply_to?: string) =>
    (await app.call<Comment>('POST', path, { token, body: { content, reply_to, publication_id: id } })).body;
  const news = async (token: string) => {
    await app.deliveredMails();
    const query = { group: 'comments' };
    const { body } = await app.call<{ entries: Notification[] }>('GET', '/v1/notifications', { token, query });
    return body.entries.map((each) => [notificationWords(each), notificationPath(each)]);
  };
  const topic = await join(await connect(app, eve.token), `publication_comments:${projectId}/${id}`);
  const first = await say(bob.token, 'Is it high, @eve?');
  expect(first.permissions).toEqual(['edit', 'delete']);
  expect(await topic.event('comment_changed')).toMatchObject({ comment: { id: first.id } });
  const page = '/publications/notebooks/talked-about#reader_comments';
  expect(await news(ada.token)).toEqual([[expect.stringContaining('commented on “Talked about”'), page]]);
  expect(await news(eve.token)).toEqual([[expect.stringContaining('mentioned you in “Talked about”'), page]]);
  const reply = await say(ada.token, 'Yes', first.id);
  expect(await news(bob.token)).toEqual([[expect.stringContaining('replied in “Talked about”'), page]]);
  await app.call('DELETE', `${path}/${reply.id}`, { token: ada.token });
  expect(await topic.event('comment_removed')).toMatchObject({ id: reply.id });
  await publish(app, ada.token, fileId, { access_level: 'draft' });
  await topic.closed;
  // Who may no longer read it hears nothing more of it.
  await say(ada.token, 'Gone, @eve', first.id);
  expect(await news(eve.token)).toHaveLength(1);
  expect(await news(bob.token)).toHaveLength(1);
});
