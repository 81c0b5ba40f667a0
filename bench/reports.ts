import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, chromium, request } from '@playwright/test';
import { makeFile, makeProject, newPerson, password } from '../e2e/fixtures.ts';
import { code, notebook, shows, text } from '../e2e/notebook-page.ts';
import { startServer } from '../e2e/server.ts';
import { findBrowser } from '../scripts/browser.ts';
import { buildWeb } from '../scripts/build-web.ts';
import { median, type Result } from './report.ts';

const rounds = 9;
const api = '/api/atoll/v1';

/** A report of 20 pages, drawn anew each time, beside Chromium that prints the same page without us. */
export async function reports(): Promise<Result[]> {
  await buildWeb();
  const executablePath = findBrowser() || chromium.executablePath();
  const server = await startServer({ CHROMIUM_PATH: executablePath });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const person = newPerson();
  const client = await request.newContext({ baseURL: server.url });
  try {
    const data = { email: person.email, password, user_name: person.userName, first_name: 'Ada' };
    await client.post(`${api}/sign_up`, { data });
    const projectId = await makeProject(client);
    const fileId = await makeFile(client, projectId, 'long.ipynb', longNotebook());
    const answer = await client.patch(`${api}/publications/files/${fileId}`, {
      data: { access_level: 'public', title: 'A long report' },
    });
    const { id } = await answer.json();
    const drawn = await drawnPage(browser, `${server.url}/print/${id}`);
    const page = await servePage(drawn);
    let pages = 0;
    const render = async (round: number) => {
      await client.patch(`${api}/external_publications/${id}`, { data: { footer_text: `Round ${round}` } });
      const began = performance.now();
      const file = await client.get(`${api}/external_publications/${id}/download`);
      const took = performance.now() - began;
      pages = Number(file.headers()['x-pages']);
      return took;
    };
    const print = async () => {
      const began = performance.now();
      const context = await browser.newContext();
      const tab = await context.newPage();
      await tab.goto(page.url, { waitUntil: 'load' });
      await tab.evaluate('document.fonts.ready.then(() => null)');
      await tab.pdf({ preferCSSPageSize: true, printBackground: true, tagged: true, outline: true });
      await context.close();
      return performance.now() - began;
    };
    await render(0);
    await print();
    const [ours, alone]: number[][] = [[], []];
    for (let round = 1; round <= rounds; round++) {
      ours?.push(await render(round));
      // It has opened its next page by then, which would slow the other down.
      await delay(1_500);
      alone?.push(await print());
    }
    page.close();
    return [
      {
        name: `PDF of a report of ${pages} pages, drawn anew`,
        value: median(ours ?? []),
        unit: 'ms',
        peer: { name: 'Chromium printing the same static page', value: median(alone ?? []) },
        limit: { of: 'ratio', max: 1.5 },
      },
    ];
  } finally {
    await client.dispose();
    await browser.close();
    await server.stop();
  }
}

function longNotebook(): string {
  const words = 'The gauge has recorded sea level since 1883, and each week it is read by hand once more. '.repeat(9);
  const row = (index: number) => [`2026-10-${(index % 28) + 1}`, 'Brest', index / 7, 'calm'];
  const frame = {
    frame_id: 'f',
    columns: ['date', 'port', 'level', 'wind'].map((name) => ({ name, type: 'str' })),
    rows: Array.from({ length: 45 }, (_, index) => row(index)),
    offset: 0,
    total: 45,
    all: 45,
  };
  const cells = Array.from({ length: 9 }, (_, index) => [
    text(`# Part ${index + 1}\n\n${`${words}\n\n`.repeat(4)}`, `text-${index}`),
    code('levels', `table-${index}`, shows({ 'application/vnd.atoll.dataframe+json': frame })),
  ]);
  return notebook(...cells.flat());
}

/** As it is when all of it is drawn. */
async function drawnPage(browser: Browser, url: string): Promise<string> {
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(url);
  await tab.locator('html[data-print=ready]').waitFor();
  const html = await tab.content();
  await context.close();
  return html.replace(/<script[\s\S]*?<\/script>/g, '');
}

async function servePage(html: string): Promise<{ url: string; close(): void }> {
  const assets = join(import.meta.dirname, '../apps/web/dist');
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    if (path.startsWith('/assets/')) createReadStream(join(assets, path)).pipe(outgoing);
    else outgoing.setHeader('content-type', 'text/html; charset=utf-8').end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}
