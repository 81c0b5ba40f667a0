import { embedPath, type FileEmbed, type Publication } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { code, notebook, shows, text } from '../../test/set-ups/notebooks.ts';
import { createSharedApp } from '../../test/test-app.ts';
import { sweepCopies } from '../publications/service/copies.ts';
import { embeds } from './table.ts';

const figure = { data: [{ type: 'bar', y: [1, 2] }], layout: { title: '</script><b>' } };
const content = notebook(
  text('Readable text <script>alert(1)</script>', 'intro'),
  code('shown_code = 1', 'sum', [{ output_type: 'stream', name: 'stdout', text: 'the sum is 42\n' }]),
  code('fig.show()', 'chart', shows({ 'application/vnd.plotly.v1+json': figure })),
);

const app = await createSharedApp();

async function file(name = 'a.ipynb', written = content) {
  const ada = await app.person();
  const { id } = await app.project(ada.token, { name: 'Embeds' });
  const made = await app.createFile(ada.token, id, name, written);
  const url = `/v1/notebooks/${id}/files/${made.body.id}/embed`;
  const patch = (body: object, token = ada.token) => app.call<FileEmbed>('PATCH', url, { token, body });
  return { ada, projectId: id, fileId: made.body.id, url, patch };
}

const get = (url: string, headers: Record<string, string> = {}) =>
  app.app.http.inject({ url, headers: { host: 'localhost:4000', ...headers } });
const policyOf = ({ headers }: Awaited<ReturnType<typeof get>>) => String(headers['content-security-policy']);

test('an embed is off until its author turns it on, and off again after it was deleted', async () => {
  const { ada, projectId, fileId, url, patch } = await file();
  const path = embedPath('file', projectId, fileId, fileId);
  expect((await app.call('GET', url, { token: ada.token })).body).toEqual({ embed: null });
  const before = await get(path);
  expect([before.statusCode, before.body.includes('This embed is off'), before.body.includes('Readable')]).toEqual([
    404,
    true,
    false,
  ]);
  const { body: embed } = await patch({ execution_enabled: true });
  expect(embed).toMatchObject({
    project_id: projectId,
    file: { id: fileId, name: 'a.ipynb' },
    execution_enabled: true,
    execution_copy_project_files: false,
    allowed_sites: [],
    path,
  });
  expect((await app.call('GET', `/v1/file_embed/${embed.id}`)).body).toEqual(embed);
  const page = await get(path);
  expect(page.statusCode).toBe(200);
  expect(page.headers['set-cookie']).toBeUndefined();
  expect(page.body).toContain('the sum is 42');
  expect(page.body).not.toContain('alert(1)');
  expect(page.body).not.toContain('id="root"');
  expect((await get(`/embed/canvas/${embed.id}`)).body).toContain('the sum is 42');
  await app.call('DELETE', url, { token: ada.token });
  expect((await get(path)).statusCode).toBe(404);
  expect((await app.call('GET', `/v1/file_embed/${embed.id}`)).status).toBe(404);
});

test('a part is shown without the rest of the file', async () => {
  const { projectId, fileId, patch } = await file();
  await patch({});
  const part = async (type: 'cell' | 'chart', cell: string) =>
    (await get(embedPath(type, projectId, fileId, cell))).body;
  const cell = await part('cell', 'sum');
  expect([cell.includes('shown_code'), cell.includes('the sum is 42'), cell.includes('Readable')]).toEqual([
    true,
    true,
    false,
  ]);
  expect((await get(`/embed/${projectId}/${fileId}/sum`)).body).toBe(cell);
  const output = await part('chart', 'sum');
  expect([output.includes('shown_code'), output.includes('the sum is 42')]).toEqual([false, true]);
  const chart = await part('chart', 'chart');
  const data = /<script type="application\/json" data-chart="plotly">(.*?)<\/script>/.exec(chart)?.[1] ?? '';
  expect(JSON.parse(data)).toEqual(figure);
  expect((await get(embedPath('cell', projectId, fileId, 'none'))).statusCode).toBe(404);
});

test('only the sites its author allows show it in a frame', async () => {
  const { projectId, fileId, patch } = await file();
  const path = embedPath('file', projectId, fileId, fileId);
  await patch({});
  expect(policyOf(await get(path))).toMatch(/frame-ancestors 'self'$/);
  await patch({ allowed_sites: ['https://Example.org/', 'https://*.example.net:8443'] });
  expect(policyOf(await get(path))).toMatch(
    /frame-ancestors 'self' https:\/\/example\.org https:\/\/\*\.example\.net:8443$/,
  );
  await patch({ allowed_sites: ['*'] });
  expect(policyOf(await get(path))).toMatch(/frame-ancestors \*$/);
  for (const site of [
    'example.org',
    "https://a.org; script-src 'none'",
    'https://a.org/path',
    'javascript:alert(1)',
    'https://*',
    'https://*.com',
    '',
  ])
    expect((await patch({ allowed_sites: [site] })).status, site).toBe(422);
});

test('a wildcard below a domain where anyone can have a site is refused, and one from before allows no site', async () => {
  const { ada, projectId, fileId, url, patch } = await file();
  for (const site of [
    'https://*.co.uk',
    'https://*.github.io:8443',
    'http://*.s3.amazonaws.com',
    'https://*.kobe.jp',
    'https://*.xn--80au.xn--90a3ac',
    'https://*.127.0.0.1',
  ]) {
    const refused = await app.call('PATCH', url, {
      token: ada.token,
      body: { allowed_sites: ['https://example.org', site] },
    });
    expect([refused.status, refused.body.fields?.allowed_sites?.[0]], site).toEqual([
      422,
      expect.stringContaining(site),
    ]);
  }
  const sites = [
    'https://*.example.co.uk',
    'https://*.me.github.io',
    'https://me.github.io',
    'https://*.corp.internal',
  ];
  expect((await patch({ allowed_sites: sites })).body.allowed_sites).toEqual(sites);
  await app.db
    .update(embeds)
    .set({ allowedSites: ['https://*.co.uk', 'https://example.org'] })
    .where(eq(embeds.fileId, fileId));
  const policy = policyOf(await get(embedPath('file', projectId, fileId, fileId)));
  expect(policy).toMatch(/frame-ancestors 'self' https:\/\/example\.org$/);
});

test('the address chooses the mode', async () => {
  const { projectId, fileId, patch } = await file();
  await patch({});
  const path = embedPath('file', projectId, fileId, fileId);
  expect((await get(`${path}?theme=dark`)).body).toContain('data-mantine-color-scheme="dark"');
  expect((await get(`${path}?theme="><b>`)).body).not.toContain('"><b>');
});

test('what is in the bin is not shown', async () => {
  const { ada, projectId, fileId, patch } = await file();
  await patch({});
  await app.call('DELETE', `/v1/notebooks/${projectId}`, { token: ada.token });
  expect((await get(embedPath('file', projectId, fileId, fileId))).statusCode).toBe(404);
});

test('it takes the right to embed and to read the source, and a file that can be drawn', async () => {
  const { ada, projectId, patch } = await file();
  const eve = await app.person();
  const share = (permissions: string[]) => app.share(ada.token, projectId, eve.id, permissions);
  expect((await patch({}, eve.token)).status).toBe(404);
  await share(['view', 'view_source']);
  expect((await patch({}, eve.token)).status).toBe(403);
  const hidden = await file();
  await app.share(hidden.ada.token, hidden.projectId, eve.id, ['view', 'embed']);
  expect((await hidden.patch({}, eve.token)).status).toBe(403);
  expect((await (await file('a.bin', 'x')).patch({})).status).toBe(422);
});

test('a reader runs a copy of their own where the author allows it, with the files of the project or without', async () => {
  const { ada, projectId, fileId, patch } = await file();
  await app.createFile(ada.token, projectId, 'data.csv', 'a\n1');
  const { id } = (await patch({})).body;
  const bob = await app.person();
  const path = embedPath('cell', projectId, fileId, 'sum');
  const open = (token: string | null) =>
    app.call<{ project_id: string; file_id: string }>('POST', `/v1/file_embed/${id}/copy`, { token });
  const namesIn = async (project: string) => {
    const tree = `/v1/notebooks/${project}/files-dirs`;
    const { body } = await app.call<{ files: { name: string }[] }>('GET', tree, { token: bob.token });
    return body.files.map(({ name }) => name).sort();
  };
  expect((await get(path)).body).not.toContain('Run a copy');
  expect((await open(bob.token)).status).toBe(403);
  await patch({ execution_enabled: true });
  expect((await get(path)).body).toContain(`<a href="/run/${id}">Run a copy</a>`);
  expect((await open(null)).status).toBe(401);
  const copies = await Promise.all([open(bob.token), open(bob.token)]);
  const copy = copies[0]?.body;
  expect(copies[1]?.body).toEqual(copy);
  expect(copy?.project_id).not.toBe(projectId);
  expect(await namesIn(copy?.project_id ?? '')).toEqual(['a.ipynb']);
  expect((await app.call('GET', `/v1/notebooks/${copy?.project_id}`, { token: ada.token })).status).toBe(404);
  await patch({ execution_copy_project_files: true });
  const guest = await app.guest();
  const theirs = (await open(guest.token)).body;
  const files = `/v1/notebooks/${theirs.project_id}/files-dirs`;
  const tree = await app.call<{ files: { id: string; name: string }[] }>('GET', files, { token: guest.token });
  expect(tree.body.files.map(({ name }) => name).sort()).toEqual(['a.ipynb', 'data.csv']);
  expect(tree.body.files.find(({ id }) => id === theirs.file_id)?.name).toBe('a.ipynb');
  // It goes a day later, also when the embed it came from is gone.
  await app.call('DELETE', `/v1/notebooks/${projectId}/files/${fileId}/embed`, { token: ada.token });
  expect((await open(bob.token)).status).toBe(404);
  app.clock.advance(25 * 60 * 60_000);
  await sweepCopies(app.app.system());
  expect((await app.call('GET', `/v1/notebooks/${copy?.project_id}`, { token: bob.token })).status).toBe(404);
});

test('oEmbed answers a frame for what everyone may read', async () => {
  const { ada, projectId, fileId, patch } = await file();
  const ask = (address: string, more: Record<string, string> = {}) =>
    app.call<{ html: string; width: number }>('GET', '/v1/oembed', { query: { url: address, ...more } });
  const embed = `http://localhost:4000${embedPath('chart', projectId, fileId, 'chart')}`;
  expect((await ask(embed)).status).toBe(404);
  await patch({});
  const answer = await ask(embed, { maxwidth: '500' });
  expect(answer.body).toMatchObject({ version: '1.0', type: 'rich', title: 'a.ipynb', width: 500 });
  expect(answer.body.html).toContain(`<iframe src="${embed}" title="a.ipynb" width="500"`);
  expect((await ask(embed, { format: 'xml' })).status).toBe(501);
  expect((await ask(embed.replace('localhost:4000', 'elsewhere.example'))).status).toBe(404);
  expect((await ask('http://localhost:4000/settings')).status).toBe(404);
  const publish = (body: object) =>
    app.call<Publication>('PATCH', `/v1/publications/files/${fileId}`, { token: ada.token, body });
  const { body: draft } = await publish({ title: 'Read me', publish_version: true });
  expect((await ask(`http://localhost:4000${draft.path}`)).status).toBe(404);
  await publish({ access_level: 'public' });
  const shown = await ask(`http://localhost:4000${draft.path}`);
  expect(shown.body.html).toContain(`/embed/publication/${draft.slug}"`);
  const page = await get(`/embed/publication/${draft.slug}`);
  expect([page.statusCode, page.body.includes('the sum is 42')]).toEqual([200, true]);
  expect(page.body).toContain('data-chart="plotly"');
  expect((await get('/embed/publication/none-such')).statusCode).toBe(404);
});

test('addresses that make no sense are off, whatever is in them', async () => {
  for (const path of ['/embed/canvas/x', '/embed/cell/1/2/3', '/embed/1/2/3', `/embed/all/${newId()}/${newId()}/a`])
    expect((await get(path)).statusCode, path).toBe(404);
});
