import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../log.ts';
import { createRenderer, type PageParts, RenderFailure } from './renderer.ts';

const pages = new Map<string, string>();
const asked: string[] = [];

const rendererWith = (options: Partial<Parameters<typeof createRenderer>[0]> = {}) =>
  createRenderer({
    folder: mkdtempSync(join(tmpdir(), 'atoll-renderer-')),
    origin: 'https://reports.example',
    chromiumPath: process.env.CHROMIUM_PATH || null,
    log: createLog({ level: 'silent', pretty: false }),
    async answer(path) {
      asked.push(path);
      const html = pages.get(path);
      const headers = { 'content-type': 'text/html; charset=utf-8' };
      return { status: html === undefined ? 404 : 200, headers, body: Buffer.from(html ?? 'There is no such page.') };
    },
    ...options,
  });
const renderer = rendererWith();
afterAll(() => renderer.stop());

const job = { format: 'pdf', width: 672, height: 1_000, mostPages: 5 } as const;
const state = (parts: Partial<PageParts>) =>
  `<script>reportPrintState(${JSON.stringify({ isReady: false, expected: [], drawn: [], empty: [], failed: [], tallest: null, ...parts })})</script>`;
/** The time until the page has reported its parts, also on a busy machine: the tests below wait for all of them. */
const enoughToLoad = 20_000;
const ready = state({ isReady: true, tallest: 'long' });

test('prints or captures a page once it reports that it is ready', async () => {
  pages.set('/one', `<h1>One</h1>${ready}`);
  const pdf = await renderer.render({ ...job, path: '/one' });
  expect([pdf.body.subarray(0, 5).toString(), pdf.pages]).toEqual(['%PDF-', 1]);
  const png = await renderer.render({ ...job, format: 'png', path: '/one' });
  expect(png.body.subarray(1, 4).toString()).toBe('PNG');
});

test('captures the content of a frame far below', async () => {
  pages.set('/teal', '<body style="background:teal">');
  const said = JSON.stringify({ isReady: true, expected: [], drawn: [], empty: [], failed: [], tallest: null });
  pages.set(
    '/below',
    `<body style="margin:0"><div style="height:5000px"></div><iframe sandbox="allow-scripts" src="/teal" style="border:0"
    onload='reportPrintState(${said})'></iframe>`,
  );
  const { body } = await renderer.render({ ...job, format: 'png', path: '/below' });
  const pixel = await sharp(body)
    .extract({ left: 100, top: 10_050, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer();
  expect([...pixel]).toEqual([0, 128, 128]);
});

test('requests only our own address, in every way', async () => {
  const requests: string[] = [];
  const other = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const elsewhere = `http://127.0.0.1:${port}`;
  pages.set('/frame', `<script>fetch('${elsewhere}/from-frame', { mode: 'no-cors' }).catch(() => {})</script>`);
  pages.set(
    '/network',
    `<link rel="stylesheet" href="${elsewhere}/style"><link rel="preconnect" href="${elsewhere}"><img src="${elsewhere}/picture">
    <iframe src="${elsewhere}/frame"></iframe><iframe src="/frame"></iframe><script>
    new WebSocket('ws://127.0.0.1:${port}/socket');
    navigator.sendBeacon('${elsewhere}/beacon');
    navigator.serviceWorker?.register('/frame').catch(() => {});
    open('${elsewhere}/popup');
    fetch('${elsewhere}/data', { mode: 'no-cors' }).catch(() => fetch('/own', { method: 'POST' })).catch(() => {}).then(() => setTimeout(() => {
      reportPrintState(${JSON.stringify({ isReady: true, expected: [], drawn: [], empty: [], failed: [], tallest: null })});
    }, 200));
    </script>`,
  );
  asked.length = 0;
  await renderer.render({ ...job, path: '/network' });
  expect(requests).toEqual([]);
  expect(asked.filter((path) => path !== '/frame').sort()).toEqual(['/network']);
});

test('a frame in the page cannot report that the page is ready', async () => {
  pages.set('/inner', ready);
  pages.set('/outer', `<iframe src="/inner"></iframe>${state({ expected: ['chart-1', 'b'], drawn: ['b'] })}`);
  const failure = renderer.render({ ...job, path: '/outer' }, undefined, enoughToLoad);
  await expect(failure).rejects.toMatchObject({
    cellIds: ['chart-1'],
    message: expect.stringContaining('Cell chart-1 was not drawn in time'),
  });
});

test('ends a page whose own thread never answers', async () => {
  pages.set('/busy', `${state({ expected: ['endless'] })}<script>setTimeout(() => { for (;;); }, 50)</script>`);
  await expect(renderer.render({ ...job, path: '/busy' }, undefined, enoughToLoad)).rejects.toMatchObject({
    cellIds: ['endless'],
  });
  expect((await renderer.render({ ...job, path: '/one' })).pages).toBe(1);
});

test('refuses too many pages, with the cell that takes most of them', async () => {
  pages.set('/long', `${'<p style="break-after:page">x</p>'.repeat(8)}${ready}`);
  await expect(renderer.render({ ...job, path: '/long' })).rejects.toMatchObject({
    code: 'unprocessable_entity',
    message: 'It has 8 pages, and 5 is the most. Cell long takes most of it.',
  });
  pages.set('/endless', `<div style="height:50000px"></div>${ready}`);
  await expect(renderer.render({ ...job, path: '/endless' })).rejects.toThrow(
    'It has about 50 pages, and 5 is the most.',
  );
  pages.set('/tall', `<div style="height:9000px"></div>${ready}`);
  await expect(renderer.render({ ...job, format: 'png', path: '/tall' })).rejects.toThrow('too tall for one picture');
});

test('a killed renderer fails its document, and the next renderer is new', async () => {
  pages.set('/waits', state({ expected: ['a'] }));
  const begun = Promise.withResolvers<void>();
  const outcome = renderer.render({ ...job, path: '/waits' }, () => begun.resolve());
  outcome.catch(() => {});
  await begun.promise;
  const { pid } = renderer;
  process.kill(pid ?? 0, 'SIGKILL');
  await expect(outcome).rejects.toBeInstanceOf(RenderFailure);
  await expect(outcome).rejects.toMatchObject({ isTransient: true });
  expect((await renderer.render({ ...job, path: '/one' })).pages).toBe(1);
  expect(renderer.pid).not.toBe(pid);
});

test('fails for a missing page, and on a machine without a browser', async () => {
  await expect(renderer.render({ ...job, path: '/nothing' })).rejects.toThrow('answered with 404');
  const none = rendererWith({ chromiumPath: '/nowhere/chromium' });
  onTestFinished(() => none.stop());
  await expect(none.render({ ...job, path: '/one' })).rejects.toMatchObject({ code: 'not_implemented' });
});

test('accepts no more waiting documents than there is room for', async () => {
  const small = rendererWith({ atOnce: 1, mostWaiting: 1 });
  onTestFinished(() => small.stop());
  const [first, second, third] = [1, 2, 3].map(() => small.render({ ...job, path: '/one' }));
  await expect(third).rejects.toMatchObject({ code: 'service_unavailable', isTransient: true });
  expect([(await first)?.pages, (await second)?.pages]).toEqual([1, 1]);
});

const share = (isReader: boolean, ...people: string[]) => ({ people, isReader });
const endless = `${state({ expected: ['endless'] })}<script>setTimeout(() => { for (;;); }, 50)</script>`;

const longerThanTheTest = 3_600_000;
/** Starts renders that never end by themselves, and waits until the page of the first one is open. */
async function begun(of: ReturnType<typeof rendererWith>, shares: ReturnType<typeof share>[]) {
  const first = Promise.withResolvers<void>();
  const outcomes = shares.map((each) =>
    of.render({ ...job, path: '/endless-script', share: each }, () => first.resolve(), longerThanTheTest),
  );
  for (const outcome of outcomes) outcome.catch(() => {});
  await first.promise;
  return outcomes;
}

test('four endless scripts of one person take one place; the others are rendered meanwhile', async () => {
  pages.set('/endless-script', endless);
  const busy = rendererWith({ atOnce: 2, waitMs: longerThanTheTest });
  onTestFinished(() => busy.stop());
  const outcomes = await begun(busy, Array(4).fill(share(false, 'mallory')));
  const drawn = await Promise.all(
    ['ada', 'bob', 'cyd'].map((person) => busy.render({ ...job, path: '/one', share: share(false, person) })),
  );
  expect(drawn.map(({ pages: count }) => count)).toEqual([1, 1, 1]);
  expect(await Promise.race([...outcomes, 'still drawn'])).toBe('still drawn');
});

test('a requester has one place too, and only a few documents of one person may wait', async () => {
  pages.set('/endless-script', endless);
  const busy = rendererWith({ atOnce: 2, waitMs: 1 });
  onTestFinished(() => busy.stop());
  await begun(busy, [share(false, 'mallory', 'eve')]);
  const wait = busy.render({ ...job, path: '/one', share: share(false, 'ada', 'eve') });
  await expect(wait).rejects.toMatchObject({
    code: 'service_unavailable',
    isTransient: true,
    message: expect.stringContaining('one at a time'),
  });
  const many = Array.from({ length: 6 }, () =>
    busy.render({ ...job, path: '/one', share: { ...share(false, 'eve'), waitMs: 60_000 } }),
  );
  for (const each of many.slice(0, 5)) each.catch(() => {});
  await expect(many[5]).rejects.toThrow('one at a time');
  expect((await busy.render({ ...job, path: '/one', share: share(false, 'ada') })).pages).toBe(1);
});

test('readers leave a place to those who work on a project', async () => {
  pages.set('/endless-script', endless);
  const busy = rendererWith({ atOnce: 2, waitMs: 1 });
  onTestFinished(() => busy.stop());
  await begun(busy, [share(true, 'mallory', '192.0.2.1')]);
  const reader = busy.render({ ...job, path: '/one', share: share(true, 'ada', '192.0.2.2') });
  await expect(reader).rejects.toThrow('Too many reports');
  expect((await busy.render({ ...job, path: '/one', share: share(false, 'ada') })).pages).toBe(1);
});

test('documents rendered beside others are rendered once more when the renderer ends', async () => {
  pages.set('/waits', state({ expected: ['a'] }));
  const busy = rendererWith();
  onTestFinished(() => busy.stop());
  let starts = 0;
  const both = Promise.withResolvers<void>();
  const outcomes = ['ada', 'bob'].map((person) =>
    busy.render({ ...job, path: '/waits', share: share(false, person) }, () => {
      if (++starts === 2) both.resolve();
      if (starts === 4) process.kill(busy.pid ?? 0, 'SIGKILL');
    }),
  );
  await both.promise;
  process.kill(busy.pid ?? 0, 'SIGKILL');
  for (const outcome of outcomes) await expect(outcome).rejects.toMatchObject({ isTransient: true });
  expect(starts).toBe(4);
});
