import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { markdown, notebook, notebookIn, publish } from './test-publications.ts';

async function published(app: TestApp, token: string, body: object = {}) {
  const { fileId } = await notebookIn(app, token, notebook(markdown('# One\n\nReadable text')));
  const about = { title: 'A "quoted" <title>', description: 'Why & how', access_level: 'public' };
  const answer = await publish(app, token, fileId, { ...about, ...body });
  return { ...answer.body, fileId };
}

const get = ({ app }: TestApp, url: string) => app.http.inject({ url, headers: { host: 'localhost:4000' } });

test('the page of a publication holds everything before any script', async () => {
  const app = await createTestApp();
  const { path } = await published(app, (await app.person()).token);
  const page = await get(app, path);
  expect(page.statusCode).toBe(200);
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.body).toContain('<title>A &quot;quoted&quot; &lt;title&gt;</title>');
  expect(page.body).toContain(`<link rel="canonical" href="http://localhost:4000${path}">`);
  expect(page.body).toContain('<meta property="og:description" content="Why &amp; how">');
  expect(page.body).toContain('Readable text');
  expect(page.body).toContain('<p class="lead">Why &amp; how</p>');
  expect(page.body).not.toContain('noindex');
});

test('a publication without a description has no empty lead', async () => {
  const app = await createTestApp();
  const { path } = await published(app, (await app.person()).token, { description: '' });
  const page = await get(app, path);
  expect([page.statusCode, page.body.includes('class="lead"')]).toEqual([200, false]);
});

test('an earlier address redirects, an unlisted one is not indexed, a draft is not there', async () => {
  const app = await createTestApp();
  const ada = await app.person();
  const { path, fileId } = await published(app, ada.token, { access_level: 'link_shared' });
  expect((await get(app, path)).body).toContain('<meta name="robots" content="noindex">');
  const change = (body: object) => app.call('PATCH', `/v1/publications/files/${fileId}`, { token: ada.token, body });
  await change({ slug: 'another-place' });
  const moved = await get(app, path);
  expect([moved.statusCode, moved.headers.location]).toEqual([301, '/publications/notebooks/another-place']);
  await change({ access_level: 'draft' });
  const gone = await get(app, '/publications/notebooks/another-place');
  expect([gone.statusCode, gone.body.includes('Readable text')]).toEqual([404, false]);
});

test('feed and sitemap list what is public, and nothing else', async () => {
  const app = await createTestApp();
  const ada = await app.person();
  const shown = await published(app, ada.token, { description: 'bell \u0007 here' });
  const unlisted = await published(app, ada.token, { access_level: 'link_shared' });
  const feed = await get(app, '/publications.atom');
  expect(feed.headers['content-type']).toContain('application/atom+xml');
  expect(feed.body).toContain(`<id>urn:uuid:${shown.id}</id>`);
  expect(feed.body).not.toContain('\u0007');
  const rss = await get(app, '/publications.rss');
  expect(rss.headers['content-type']).toContain('application/rss+xml');
  expect(rss.body).toContain(`<link>http://localhost:4000${shown.path}</link>`);
  expect(rss.body).toMatch(/<pubDate>\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT<\/pubDate>/);
  const map = await get(app, '/sitemap.xml');
  expect(map.body).toContain(`<loc>http://localhost:4000${shown.path}</loc>`);
  for (const { body } of [feed, rss, map]) expect(body).not.toContain(unlisted.slug);
  const { body: rules } = await get(app, '/robots.txt');
  expect(rules).toContain('Sitemap: http://localhost:4000/sitemap.xml');
  // Pictures for previews are there.
  expect(rules).toContain('Allow: /api/atoll/v1/assets/\n');
});

test('where publications are turned off there is no page, feed or sitemap of them', async () => {
  const app = await createTestApp();
  const { path } = await published(app, (await app.person()).token);
  const off = await createTestApp({ beside: app, env: { ATOLL_FEATURES_OFF: 'publications' } });
  for (const url of [path, '/publications.atom', '/publications.rss', '/sitemap.xml']) {
    expect((await get(app, url)).statusCode).toBe(200);
    const answer = await get(off, url);
    expect([answer.statusCode, answer.body.includes('Readable text')]).toEqual([404, false]);
  }
});
