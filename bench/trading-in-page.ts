import { chromium } from '@playwright/test';
import { startServer } from '../e2e/server.ts';
import { findBrowser } from '../scripts/browser.ts';
import { buildWeb } from '../scripts/build-web.ts';
import type { Result } from './report.ts';

/** In the page: when a price came over the connection, and how long after that the frame with it was drawn. */
const notePrices = `
  window.painted = [];
  const Native = window.WebSocket;
  window.WebSocket = class extends Native {
    constructor(...args) {
      super(...args);
      this.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string' || !data.includes('price_changed')) return;
        const came = performance.now();
        const price = () => document.querySelector('strong[data-price]')?.textContent;
        const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
        const wanted = Number(JSON.parse(data)[4].last).toLocaleString('en', digits);
        if (price() === wanted) return;
        const look = () => {
          if (price() === wanted) window.painted.push(performance.now() - came);
          else if (performance.now() - came < 5000) requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
    }
  };`;

/** A price on the page of an asset, from the moment when the browser has it. */
export async function paintedPrices(): Promise<Result> {
  await buildWeb();
  const server = await startServer({});
  const browser = await chromium.launch({ executablePath: findBrowser() || undefined, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ bypassCSP: true });
    await page.addInitScript(notePrices);
    await page.goto(`${server.url}/tokens/demo-BTC`);
    await page.waitForFunction('window.painted.length >= 10', undefined, { timeout: 60_000 });
    const times = (await page.evaluate('window.painted')) as number[];
    return {
      name: 'a price that came until it is drawn, the slowest of ten',
      value: Math.max(...times.slice(0, 10)),
      unit: 'ms',
      limit: { of: 'value', max: 200 },
    };
  } finally {
    await browser.close();
    await server.stop();
  }
}
