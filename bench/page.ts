import { startServer } from '../e2e/server.ts';
import { buildWeb } from '../scripts/build-web.ts';
import { launchBrowser } from './browser.ts';
import type { Result } from './report.ts';

/** What a browser loads until /dashboard is painted and quiet, as it crosses the wire. */
export async function page(): Promise<Result[]> {
  await buildWeb();
  const server = await startServer();
  const browser = await launchBrowser();
  try {
    const tab = await browser.newPage();
    const scripts: Promise<number>[] = [];
    tab.on('requestfinished', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.sizes().then((sizes) => sizes.responseBodySize));
    });
    await tab.goto(`${server.url}/dashboard`, { waitUntil: 'networkidle' });
    await tab.getByRole('heading', { level: 1 }).waitFor();
    const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
    return [
      {
        name: `JavaScript for /dashboard (${scripts.length} files, compressed)`,
        value: bytes / 1024,
        unit: 'KB',
        limit: { of: 'value', max: 250 },
      },
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}
