import type { ExternalPublication, Publication } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { inProcessBus } from '../../platform/messages/in-process.ts';
import { notebook } from '../../test/set-ups/notebooks.ts';
import { createTestApp } from '../../test/test-app.ts';
import { publications } from '../publications/table.ts';
import { printedOf } from './service/printed.ts';
import { printPath, renderReport } from './service/render.ts';
import { renderToken } from './service/token.ts';
import { openPdf } from './test-pdf.ts';
import { code, createReportApp, markdown, publishedReport } from './test-report.ts';

/** Between the servers of these tests. */
const bus = inProcessBus();
const app = await createReportApp({}, { bus, keepOpen: true });
afterAll(app.close);
let token: string;
beforeEach(async () => {
  ({ token } = await app.person());
});

const settings = (id: string, body: object, caller = token) =>
  app.call<ExternalPublication>('PATCH', `/v1/external_publications/${id}`, { token: caller, body });

test('a report is a PDF with real text, links and embedded fonts', async () => {
  const { id } = await publishedReport(app, token, [
    markdown(
      'a',
      '# Monday\n\nHigh water at **noon**. See [the tables](https://example.org/tides) and [below](#low-water).',
    ),
    markdown('b', '# Low water\n\nAt six.'),
  ]);
  await settings(id, { header_text: 'Harbour "office" \\ north', footer_text: 'For members', print_format: 'Letter' });
  const { body, pages, failedParts } = await renderReport(app.app.system(), id, { format: 'pdf' });
  const pdf = await openPdf(body);
  expect([pages, pdf.pages.length, failedParts]).toEqual([1, 1, []]);
  expect([pdf.pages[0]?.width, pdf.pages[0]?.height]).toEqual([612, 792]);
  for (const words of [
    'Tides of the week',
    'High water at',
    'noon',
    'Harbour "office" \\ north',
    'For members',
    'November 15, 2026',
  ])
    expect(pdf.text).toContain(words);
  expect(pdf.text.replaceAll(' ', '')).toContain('1/1');
  expect(pdf.pages[0]?.links).toEqual(['https://example.org/tides', '#at-low-water']);
  expect(pdf.hasEmbeddedFonts).toBe(true);
});

test('a long table repeats its head on each page and cuts no row', async () => {
  const rows = Array.from({ length: 150 }, (_, index) => [`row${index}`, `first line of ${index} `.repeat(12)]);
  const frame = {
    frame_id: 'f',
    columns: [
      { name: 'Port', type: 'str' },
      { name: 'Words', type: 'str' },
    ],
    rows,
    offset: 0,
    total: 900,
    all: 900,
  };
  const { id } = await publishedReport(app, token, [
    code('t', 'frame', { 'application/vnd.atoll.dataframe+json': frame }),
  ]);
  const { body, pages } = await renderReport(app.app.system(), id, { format: 'pdf' });
  const pdf = await openPdf(body);
  expect(pages).toBe(pdf.pages.length);
  expect(pages).toBeGreaterThan(4);
  for (const [index] of rows.entries()) {
    // Each row is whole on one page: its twelve repetitions are with its name.
    const on = pdf.pages.filter(({ texts }) => texts.some(({ text }) => text.trim() === `row${index}`));
    expect(on).toHaveLength(1);
    const words =
      on[0]?.texts
        .map(({ text }) => text)
        .join('')
        .replace(/\s+/g, ' ') ?? '';
    expect(words.match(new RegExp(`of ${index}(?!\\d)`, 'g'))).toHaveLength(12);
  }
  for (const page of pdf.pages) expect(page.texts.map(({ text }) => text.trim())).toContain('Port');
  expect(pdf.text).toContain('The first 150 of 900 rows.');
});

test('a picture is whole on one page, what is collapsed is open, and code is not cut at the edge', async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="1600" viewBox="0 0 600 1600"><text x="10" y="20">picture top</text><text x="10" y="1590">picture bottom</text></svg>`;
  const { id } = await publishedReport(app, token, [
    markdown('a', `Before\n\n${'Filling line.\n\n'.repeat(14)}`),
    code('b', `value = "${'wide '.repeat(60)}end-of-line"`, { 'image/svg+xml': svg }),
    markdown('c', '<details><summary>More</summary>\n\nHidden on screen\n\n</details>'),
  ]);
  const { body } = await renderReport(app.app.system(), id, { format: 'pdf' });
  const { pages, text } = await openPdf(body);
  const pageOf = (words: string) => pages.findIndex(({ texts }) => texts.some((each) => each.text.includes(words)));
  expect(pageOf('picture top')).toBeGreaterThan(0);
  expect(pageOf('picture bottom')).toBe(pageOf('picture top'));
  expect(text).toContain('Hidden on screen');
  expect(text).toContain('end-of-line');
});

test('only chosen cells are printed, with their own title, on the paper that was chosen', async () => {
  const { id } = await publishedReport(app, token, [markdown('a', 'First part'), markdown('b', 'Second part')]);
  const chosen = {
    cell_ids: ['b'],
    title: 'Another title',
    orientation: 'landscape',
    print_format: 'A5',
    header_date: false,
    print_theme: 'dark',
    print_width: 1_200,
  };
  expect((await settings(id, chosen)).body).toMatchObject(chosen);
  const pdf = await openPdf((await renderReport(app.app.system(), id, { format: 'pdf' })).body);
  expect([pdf.pages[0]?.width, pdf.pages[0]?.height]).toEqual([595, 420]);
  for (const words of ['Another title', 'Second part']) expect(pdf.text).toContain(words);
  for (const words of ['First part', 'Tides of the week']) expect(pdf.text).not.toContain(words);
  const { body } = await renderReport(app.app.system(), id, { format: 'png' });
  expect(body.subarray(1, 4).toString()).toBe('PNG');
});

test('the cover is printed where the settings say so, and one that cannot be read is a failed part', async () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
  const cells = [code('a', 'plot()', { 'image/png': png }), markdown('b', 'Words')];
  const { id } = await publishedReport(app, token, cells, { cover_cell_id: 'a' });
  await settings(id, { cell_ids: ['b'] });
  const render = async () => {
    const { body, failedParts } = await renderReport(app.app.system(), id, { format: 'pdf' });
    return [body.includes('/Subtype /Image'), failedParts];
  };
  expect(await render()).toEqual([false, []]);
  await settings(id, { print_cover: true });
  expect(await render()).toEqual([true, []]);
  await app.database.db.update(publications).set({ coverAssetId: newId() }).where(eq(publications.id, id));
  expect(await render()).toEqual([false, [{ cellId: 'cover', reason: 'The cover picture cannot be read.' }]]);
});

test('what was drawn is kept until something of it changes', async () => {
  const { id } = await publishedReport(app, token, [markdown('a', 'Once')]);
  const render = async () => (await renderReport(app.app.system(), id, { format: 'pdf' })).body.toString('base64');
  const first = await render();
  expect(await render()).toBe(first);
  await settings(id, { footer_text: 'Changed' });
  expect(await render()).not.toBe(first);
});

test('how much is drawn is told while it is drawn, also by another server', async () => {
  const other = await createTestApp({ beside: app, bus });
  const { id } = await publishedReport(app, token, [markdown('a', 'One'), markdown('b', 'Two')]);
  const ask = ({ call } = other) =>
    call<{ drawing: object | null }>('GET', `/v1/external_publications/${id}/progress`, { token });
  expect((await ask()).body).toEqual({ drawing: null });
  const ctx = app.app.system();
  const parts = { isReady: false, expected: ['a', 'b', 'c'], drawn: ['a'], empty: ['b'], failed: [], tallest: null };
  let meanwhile: unknown;
  const render = vi.spyOn(ctx.renderer, 'render').mockImplementation(async (_job, onProgress) => {
    onProgress?.(parts);
    meanwhile = [(await ask()).body, (await ask(app)).body];
    return { body: Buffer.from('%PDF-'), pages: 1, failedParts: [] };
  });
  onTestFinished(() => render.mockRestore());
  await renderReport(ctx, id, { format: 'pdf' });
  expect(meanwhile).toEqual(Array(2).fill({ drawing: { drawn: 2, expected: 3 } }));
  expect((await ask()).body).toEqual({ drawing: null });
});

test('a picture that cannot be read is a failed part, with its cell', async () => {
  const { id } = await publishedReport(app, token, [
    markdown('fine', 'Text'),
    code('broken', 'show()', { 'image/png': Buffer.from('no picture').toString('base64') }),
  ]);
  const { failedParts, body } = await renderReport(app.app.system(), id, { format: 'pdf' });
  expect(failedParts).toEqual([{ cellId: 'broken', reason: 'A picture of it cannot be read.' }]);
  expect((await openPdf(body)).text).toContain('This could not be drawn');
});

test('the page to print is for readers, and for the renderer with a token of one version and its settings', async () => {
  const reader = (await app.person()).token;
  const { id } = await publishedReport(app, token, [markdown('a', 'Readable')], {
    access_level: 'draft',
    publish_version: true,
  });
  const other = await publishedReport(app, token, [markdown('a', 'Another')], {
    access_level: 'draft',
    publish_version: true,
  });
  const open = async (path: string, caller?: string) => {
    const headers = { host: 'localhost:4000', ...(caller ? { authorization: `Bearer ${caller}` } : {}) };
    const { statusCode, body } = await app.app.http.inject({ url: path, headers });
    return [statusCode, body.includes('Readable')];
  };
  expect(await open(printPath(id))).toEqual([404, false]);
  expect(await open(printPath(id), reader)).toEqual([404, false]);
  expect(await open(printPath(id), token)).toEqual([200, true]);
  const ctx = app.app.system();
  const { versionId, key } = await printedOf(ctx, id);
  const grant = { publicationId: id, versionId, key };
  const good = await renderToken(ctx, grant);
  expect(await open(printPath(id, good))).toEqual([200, true]);
  expect(await open(printPath(other.id, good))).toEqual([404, false]);
  expect(await open(printPath(id, `${good.slice(0, -2)}xx`))).toEqual([404, false]);
  expect(await open(printPath(id, await renderToken(ctx, { ...grant, versionId: other.id })))).toEqual([404, false]);
  expect(await open(printPath(id, 'nonsense'))).toEqual([404, false]);
  expect(await open(printPath('nonsense'), token)).toEqual([404, false]);
  // A token opens the page and nothing else.
  expect((await app.call('GET', `/v1/external_publications/${id}`, { token: good })).status).toBe(401);
  await settings(id, { title: 'Changed meanwhile' });
  expect(await open(printPath(id, good))).toEqual([404, false]);
  const late = await renderToken(ctx, { ...grant, key: (await printedOf(ctx, id)).key });
  expect(await open(printPath(id, late))).toEqual([200, true]);
  app.clock.advance(121_000);
  expect(await open(printPath(id, late))).toEqual([404, false]);
});

test('settings are for those who publish; nonsense is refused', async () => {
  const { id } = await publishedReport(app, token, [markdown('a', 'Text')]);
  const get = (caller: string) =>
    app.call<ExternalPublication>('GET', `/v1/external_publications/${id}`, { token: caller });
  expect((await get(token)).body).toMatchObject({
    id,
    enabled: false,
    cell_ids: null,
    print_format: 'A4',
    updated_at: null,
  });
  const reader = (await app.person()).token;
  expect((await get(reader)).status).toBe(404);
  expect((await settings(id, { enabled: true }, reader)).status).toBe(404);
  for (const wrong of [
    { print_format: 'A99' },
    { orientation: 'diagonal' },
    { print_theme: 'sepia' },
    { print_width: 10 },
    { print_width: 'wide' },
    { header_text: 'a\nb' },
    { footer_text: 'x'.repeat(201) },
    { cell_ids: 'all' },
    { cell_ids: [''] },
    { unknown: true },
  ])
    expect([wrong, (await settings(id, wrong)).status]).toEqual([wrong, 422]);
  expect((await get(token)).body.updated_at).toBe(null);
  for (const [query, status] of [
    ['format=docx', 422],
    ['size=1', 422],
  ] as const)
    expect((await app.call('GET', `/v1/external_publications/${id}/download?${query}`, { token })).status).toBe(status);
});

test('reports are listed with those of others that are public; a draft only to its authors', async () => {
  const other = await app.person();
  const hidden = await publishedReport(app, token, [markdown('a', 'x')], {
    title: 'Zander hidden',
    access_level: 'draft',
  });
  const shown = await publishedReport(app, token, [markdown('a', 'x')], { title: 'Zander shown' });
  await publishedReport(app, token, [markdown('a', 'x')], { title: 'Zander without settings' });
  for (const { id } of [hidden, shown]) await settings(id, { enabled: true });
  const titles = async (caller: string, query: Record<string, string> = {}) =>
    (
      await app.get<{ entries: Publication[] }>(caller, '/v1/external_publications', { search: 'zander', ...query })
    ).body.entries
      .map(({ title }) => title)
      .sort();
  expect(await titles(token)).toEqual(['Zander hidden', 'Zander shown']);
  expect(await titles(other.token)).toEqual(['Zander shown']);
  expect(await titles(other.token, { own: 'true' })).toEqual([]);
  await settings(shown.id, { enabled: false });
  expect(await titles(other.token)).toEqual([]);
});

test('a publication is downloaded by who reads it, and by nobody else', async () => {
  const { id, slug } = await publishedReport(app, token, [markdown('a', 'Text')]);
  const path = `/v1/external_publications/${id}/download`;
  const answer = await app.call('GET', path, { query: { format: 'pdf' } });
  expect([answer.status, answer.headers['content-type'], answer.headers['x-pages']]).toEqual([
    200,
    'application/pdf',
    '1',
  ]);
  expect(answer.headers['content-disposition']).toContain(`${slug}.pdf`);
  const draft = await publishedReport(app, token, [markdown('a', 'Text')], {
    access_level: 'draft',
    publish_version: true,
  });
  expect((await app.call('GET', `/v1/external_publications/${draft.id}/download`)).status).toBe(404);
});

test('a machine without a browser says what to install, and the page to print is still there', async () => {
  const none = await createReportApp({ CHROMIUM_PATH: '/nowhere/chromium' });
  const ada = await none.person();
  const { id } = await publishedReport(none, ada.token, [markdown('a', 'Text')]);
  const answer = await none.call('GET', `/v1/external_publications/${id}/download`);
  expect([answer.status, answer.body.details.reason]).toEqual([501, 'no_renderer']);
  expect(answer.body.message).toContain('Install Chromium');
  expect((await none.app.http.inject({ url: printPath(id), headers: { host: 'localhost:4000' } })).statusCode).toBe(
    200,
  );
});

test('a notebook that was not published is exported as PDF, and its page opens with its token only', async () => {
  const { id: projectId } = await app.project(token, { name: 'Drafts' });
  const content = notebook(markdown('a', 'Not for readers yet'));
  const file = await app.createFile(token, projectId, 'draft.ipynb', content);
  const answer = await app.app.http.inject({
    method: 'POST',
    url: `/api/atoll/v1/projects/${projectId}/files/${file.body.id}/export`,
    headers: { authorization: `Bearer ${token}`, host: 'localhost:4000' },
    payload: {
      type: 'pdf',
      title: 'Tides so far',
      print_format: 'A5',
      footer_text: 'For the crew',
      print_theme: 'dark',
    },
  });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/pdf']);
  const { text } = await openPdf(answer.rawPayload);
  for (const words of ['Tides so far', 'For the crew', 'Not for readers yet']) expect(text).toContain(words);
  const path = `/v1/projects/${projectId}/files/${file.body.id}/export`;
  expect((await app.post(token, path, { type: 'md', print_format: 'A5' })).status).toBe(422);
  const { id } = await publishedReport(app, token, [markdown('a', 'Readable')]);
  const { versionId, key } = await printedOf(app.app.system(), id);
  const other = await renderToken(app.app.system(), { publicationId: id, versionId, key });
  for (const query of ['', `?token=${other}`]) {
    const page = await app.app.http.inject({
      url: `/print/file/${'0'.repeat(64)}${query}`,
      headers: { host: 'localhost:4000' },
    });
    expect(page.statusCode).toBe(404);
  }
});

test('four endless scripts of one person, asked for by anyone, block nobody else', async () => {
  const busy = await createReportApp();
  const [mallory, ada] = [await busy.person(), await busy.person()];
  const path = (id: string) => `/v1/external_publications/${id}/download`;
  const script = (id: string) => code(id, 'show()', { 'text/html': '<script>for (;;);</script>' });
  const endless = await Promise.all([1, 2, 3, 4].map(() => publishedReport(busy, mallory.token, [script('endless')])));
  const { id } = await publishedReport(busy, ada.token, [markdown('a', 'Text')]);
  const render = vi.spyOn(busy.ctx.renderer, 'render');
  const outcomes = endless.map((each, index) =>
    busy.call('GET', path(each.id), index % 2 ? {} : { token: mallory.token }),
  );
  await vi.waitFor(() => expect(render).toHaveBeenCalledTimes(4));
  for (const reader of [ada.token, null])
    expect((await busy.call('GET', path(id), { token: reader })).status).toBe(200);
  const changed = { token: ada.token, body: { header_text: 'Changed' } };
  await busy.call('PATCH', `/v1/external_publications/${id}`, changed);
  expect((await busy.call('GET', path(id))).status).toBe(200);
  const shares = render.mock.calls.slice(0, 4).map(([{ share }]) => share);
  expect(shares.map((share) => [share?.people.includes(mallory.id), share?.isReader]).sort()).toEqual([
    [true, false],
    [true, false],
    [true, true],
    [true, true],
  ]);
  for (const { status } of await Promise.all(outcomes)) expect([200, 503]).toContain(status);
});
