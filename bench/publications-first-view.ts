import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type Browser, request } from '@playwright/test';
import { makeFile, makeProject, newPerson, password } from '../e2e/fixtures.ts';
import { code, notebook, onePixel, shows, text } from '../e2e/notebook-page.ts';
import { startServer } from '../e2e/server.ts';
import { buildWeb } from '../scripts/build-web.ts';
import { launchBrowser } from './browser.ts';
import { peerPython } from './notebook-peers.ts';
import { median, type Result } from './report.ts';

const rounds = 11;
/** As over a usual line: without one, bytes would cost nothing. */
const line = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 5e6 / 8 };

/**
 * The first view of an article by a browser that has never been here, beside the HTML that nbconvert makes of the same notebook,
 * compressed and served as a file; turn about.
 */
export async function firstView(): Promise<Result[]> {
  await buildWeb();
  const server = await startServer();
  const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
  const still = fork(join(import.meta.dirname, 'static-server.ts'), [folder]);
  const port = once(still, 'message') as Promise<[number]>;
  const browser = await launchBrowser();
  try {
    const content = article();
    const ours = `${server.url}${await publishOne(server.url, content)}`;
    await convert(folder, content);
    const theirs = `http://localhost:${(await port)[0]}/article.html`;
    const views: Record<'ours' | 'theirs', View[]> = { ours: [], theirs: [] };
    // The first round warms both servers up and does not count.
    for (let round = 0; round <= rounds; round++) {
      const [here, there] = [await view(browser, ours), await view(browser, theirs)];
      if (round === 0) continue;
      views.ours.push(here);
      views.theirs.push(there);
    }
    const of = (name: 'ours' | 'theirs', figure: keyof View) => median(views[name].map((each) => each[figure]));
    const peer = "nbconvert's HTML as a static file";
    return [
      {
        name: 'first view of an article (50 cells, 10 charts): readable text',
        value: of('ours', 'readableMs'),
        unit: 'ms',
        peer: { name: peer, value: of('theirs', 'readableMs') },
        limit: { of: 'ratio', max: 1 },
      },
      {
        name: 'first view of an article: what is transferred for it to be read, compressed',
        value: of('ours', 'documentKb'),
        unit: 'KB',
        peer: { name: peer, value: of('theirs', 'documentKb') },
        limit: { of: 'ratio', max: 1 },
      },
      {
        name: 'first view of an article: scripts and styles that the text waits for',
        value: of('ours', 'awaited'),
        unit: 'files',
        limit: { of: 'value', max: 0 },
      },
    ];
  } finally {
    await browser.close();
    still.kill();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface View {
  readableMs: number;
  documentKb: number;
  /** Scripts and styles for which the browser puts off the first paint. */
  awaited: number;
}

/** A cold browser: nothing kept, and nothing from other servers. */
async function view(browser: Browser, url: string): Promise<View> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const origin = new URL(url).origin;
  await page.route(
    (address) => address.origin !== origin,
    (route) => route.abort(),
  );
  const wire = await context.newCDPSession(page);
  await wire.send('Network.enable');
  await wire.send('Network.emulateNetworkConditions', line);
  const answer = await page.goto(url, { waitUntil: 'load' });
  const documentBytes = ((await answer?.request().sizes())?.responseBodySize ?? 0) / 1024;
  const painted = 'first-contentful-paint';
  await page.waitForFunction((name) => performance.getEntriesByName(name).length > 0, painted);
  const { readableMs, awaited } = await page.evaluate((name) => {
    const resources = performance.getEntriesByType('resource') as (PerformanceResourceTiming & {
      renderBlockingStatus?: string;
    })[];
    return {
      readableMs: performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN,
      awaited: resources.filter((each) => each.renderBlockingStatus === 'blocking').length,
    };
  }, painted);
  await context.close();
  return { readableMs, documentKb: documentBytes, awaited };
}

/** Words, code, tables and pictures of charts, as notebooks have them. */
function article(): string {
  const cells = Array.from({ length: 50 }, (_, index) => {
    const id = `c${index}`;
    if (index % 5 === 4) return code(`plot(${index})`, id, shows({ 'image/png': picture(index) }));
    if (index % 5 === 3)
      return code(`series = load("gauge-${index}")\nseries.describe()`, id, shows({ 'text/html': table(index) }));
    return text(`## Part ${index}\n\n${'The gauge has recorded sea level since 1883. '.repeat(12)}`, id);
  });
  return notebook(...cells);
}

const table = (seed: number) =>
  `<table><thead><tr><th>year</th><th>level</th></tr></thead><tbody>${Array.from(
    { length: 8 },
    (_, row) => `<tr><td>${1883 + row}</td><td>${((row + 1) * seed) % 97}</td></tr>`,
  ).join('')}</tbody></table>`;

/** As large as a usual chart, and as hard to compress; what follows the end of a PNG is not drawn. */
function picture(seed: number): string {
  let state = seed;
  const noise = Array.from({ length: 24_000 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state >> 16;
  });
  return Buffer.concat([onePixel, Buffer.from(noise)]).toString('base64');
}

/** Puts the page where it is served, compressed as such servers do. */
async function convert(folder: string, content: string): Promise<void> {
  const python = await peerPython('nbconvert', 'jupyter-nbconvert', ['nbconvert']);
  const source = join(folder, 'article.ipynb');
  writeFileSync(source, content);
  await promisify(execFile)(python, ['-m', 'nbconvert', '--to', 'html', source], { maxBuffer: 1e8 });
  const html = readFileSync(join(folder, 'article.html'));
  writeFileSync(join(folder, 'article.html.gz'), gzipSync(html));
}

/** Answers its path. */
export async function publishOne(url: string, content: string): Promise<string> {
  const { email, userName } = newPerson();
  const api = await request.newContext({ baseURL: url });
  await api.post('/api/atoll/v1/sign_up', { data: { email, user_name: userName, password } });
  const project = await makeProject(api);
  const file = await makeFile(api, project, 'article.ipynb', content);
  const answer = await api.patch(`/api/atoll/v1/publications/files/${file}`, {
    data: { title: 'Fifty cells', access_level: 'public' },
  });
  const { path } = (await answer.json()) as { path: string };
  await api.dispose();
  return path;
}
