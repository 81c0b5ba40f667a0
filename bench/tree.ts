import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { openDatabase } from '../apps/server/src/platform/db/database.ts';
import { startPostgres } from '../apps/server/src/test/servers/postgres-server.ts';
import { startServer } from '../e2e/server.ts';
import { buildWeb } from '../scripts/build-web.ts';
import { launchBrowser } from './browser.ts';
import { median, p95, type Result } from './report.ts';

const count = 10_000;

/** In the page, so that the driver's own delays do not count. */
const opening = `(async () => {
  const link = [...document.querySelectorAll('a')].find((a) => a.textContent.includes('Archive'));
  const began = performance.now();
  link.click();
  while (document.querySelectorAll('[role=treeitem]').length < 10) await new Promise(requestAnimationFrame);
  return performance.now() - began;
})()`;

const scrolling = `(async () => {
  const box = document.querySelector('[role=tree]');
  const frames = [];
  let last = performance.now();
  for (let step = 0; step < 120; step++) {
    box.scrollTop += 400;
    await new Promise(requestAnimationFrame);
    frames.push(performance.now() - last);
    last = performance.now();
  }
  return { frames, drawn: document.querySelectorAll('[role=treeitem]').length };
})()`;

/** A project of very many files: from the click in the list until its tree is drawn, and how it scrolls. */
export async function tree(): Promise<Result[]> {
  await buildWeb();
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
  const server = await startServer({ DATABASE_URL: postgres.urlOf('postgres') });
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const api = `${server.url}/api/atoll/v1`;
    const person = { email: 'ada@example.org', user_name: 'ada', first_name: 'Ada', password: 'correct horse battery' };
    const signedUp = await context.request.post(`${api}/sign_up`, { data: person });
    const { token } = (await signedUp.json()) as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    const created = await context.request.post(`${api}/notebooks`, { data: { name: 'Archive' }, headers });
    const { id } = (await created.json()) as { id: string };
    await fill(postgres.urlOf('postgres'), folder, id);
    const tab = await context.newPage();
    const times: number[] = [];
    for (let round = 0; round < 7; round++) {
      await tab.goto(`${server.url}/projects?view=table`, { waitUntil: 'networkidle' });
      times.push(await tab.evaluate<number>(opening));
    }
    const { frames, drawn } = await tab.evaluate<{ frames: number[]; drawn: number }>(scrolling);
    return [
      // The first loads the code of the page, which the list has not needed.
      {
        name: `tree of ${count.toLocaleString('en')} files, from the click`,
        value: median(times.slice(1)),
        unit: 'ms',
        limit: { of: 'value', max: 500 },
      },
      {
        name: `a frame while scrolling it (${drawn} lines drawn), p95`,
        value: p95(frames),
        unit: 'ms',
        limit: { of: 'value', max: 50 },
      },
    ];
  } finally {
    await browser.close();
    await server.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(url: string, folder: string, projectId: string): Promise<void> {
  const { db, close } = await openDatabase({ url, dataFolder: folder });
  const path = "'folder ' || lpad((n % 100)::text, 3, '0') || '/file ' || n || '.py'";
  await db.execute(sql`insert into directories (id, project_id, path, path_key, created_at)
    select gen_random_uuid(), ${projectId}, 'folder ' || lpad(n::text, 3, '0'), 'folder ' || lpad(n::text, 3, '0'), now()
    from generate_series(0, 99) n`);
  await db.execute(sql`insert into files (id, project_id, path, path_key, language, mime_type, blob, size, version, version_id, created_at, updated_at)
    select gen_random_uuid(), ${projectId}, ${sql.raw(path)}, ${sql.raw(path)}, 'python', 'text/x-python', repeat('0', 64), 10, 1, gen_random_uuid(), now(), now()
    from generate_series(1, ${sql.raw(String(count))}) n`);
  await close();
}
