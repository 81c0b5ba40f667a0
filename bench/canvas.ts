import type { Browser, Page } from '@playwright/test';
import { buildWeb } from '../scripts/build-web.ts';
import { launchBrowser } from './browser.ts';
import { dragging } from './canvas-people.ts';
import { noteFrames } from './notebook-in-page.ts';
import { atoll, type Ours } from './notebook-peers.ts';
import type { Result } from './report.ts';

/** A board of 200 cells that show charts and 1,000 notes, in a real browser. */
export async function canvas(): Promise<Result[]> {
  await buildWeb();
  const browser = await launchBrowser();
  const peer = await atoll();
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await peer.prepare(page);
    const address = await peer.add('board.mpsw', boardFile());
    return [...(await moving(page, address)), await opening(page, peer, address), await dragging(peer, boardFile())];
  } finally {
    await peer.close();
    await (browser satisfies Browser).close();
  }
}

const centre = { x: 800, y: 500 };
const turns = 90;

const motions: Record<string, (page: Page) => Promise<void>> = {
  async pan(page) {
    for (let turn = 0; turn < turns; turn++) await page.mouse.wheel(turn < turns / 2 ? 24 : -24, 12);
  },
  async zoom(page) {
    await page.keyboard.down('Control');
    for (let turn = 0; turn < turns; turn++) await page.mouse.wheel(0, turn < turns / 2 ? 8 : -8);
    await page.keyboard.up('Control');
  },
  async drag(page) {
    await page.mouse.down();
    for (let turn = 0; turn < turns; turn++) await page.mouse.move(centre.x + turn * 3, centre.y + turn);
    await page.mouse.up();
  },
};

async function moving(page: Page, address: string): Promise<Result[]> {
  await page.goto(address);
  await page.locator('[data-thing="c105"]').waitFor({ timeout: 120_000 });
  await page.getByRole('region', { name: 'Board', exact: true }).focus();
  await page.keyboard.press('0');
  await page.locator('[data-thing] figure:visible').first().waitFor();
  await page.waitForTimeout(2_000);
  await page.evaluate(noteFrames);
  const results: Result[] = [];
  for (const [name, move] of Object.entries(motions)) {
    await page.mouse.move(centre.x, centre.y);
    await page.evaluate('window.frames.length = 0');
    await move(page);
    const times = (await page.evaluate('window.frames')) as number[];
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
    const average = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    results.push(
      { name: `${name}: one frame on average`, value: average, unit: 'ms', limit: { of: 'value', max: 1000 / 55 } },
      { name: `${name}: longest frame`, value: Math.max(...gaps), unit: 'ms', limit: { of: 'value', max: 50 } },
    );
  }
  return results;
}

/** Until something can be typed, beside the list of cells of the same document. */
async function opening(page: Page, { source }: Ours, address: string): Promise<Result> {
  // Where somebody was last: near some cells.
  await page.evaluate(`for (const key of Object.keys(localStorage))
    if (key.includes('board_view')) localStorage.setItem(key, '{"x":40,"y":40,"zoom":1}')`);
  const timed = async (view: string, cell: string) => {
    await page.goto('about:blank');
    const began = performance.now();
    await page.goto(`${address}${address.includes('?') ? '&' : '?'}view=${view}`, { waitUntil: 'commit' });
    await page.locator(cell).first().click({ timeout: 60_000 });
    await page.keyboard.type('q');
    await page.locator('.cm-content', { hasText: 'q' }).first().waitFor({ timeout: 60_000 });
    return performance.now() - began;
  };
  const value = await timed('board', '[data-thing="c0"] figure');
  return {
    name: 'opening the board until it can be typed in',
    value,
    unit: 'ms',
    peer: { name: 'list of cells', value: await timed('preview', source) },
    limit: { of: 'ratio', max: 1.3 },
  };
}

function boardFile(): string {
  const bars = Array.from({ length: 60 }, (_, at) => {
    const [y, h] = [100 - 80 * Math.sin(at / 5), 40 + 30 * Math.cos(at / 3)];
    return `<rect x="${at * 7}" y="${y}" width="5" height="${h}" fill="steelblue"/>`;
  });
  const chart = `<svg xmlns="http://www.w3.org/2000/svg" width="420" height="200">${bars.join('')}</svg>`;
  const cells = Array.from({ length: 200 }, (_, at) => ({
    cell_type: 'code',
    id: `c${at}`,
    metadata: { atoll: { place: { x: (at % 20) * 520, y: Math.floor(at / 20) * 400, w: 480, h: 360 } } },
    execution_count: at + 1,
    outputs: [{ output_type: 'display_data', data: { 'image/svg+xml': chart }, metadata: {} }],
    source: Array.from({ length: 8 }, (_, line) => `value_${line} = compute(${line}) + offset`).join('\n'),
  }));
  const notes = Array.from({ length: 1_000 }, (_, at) => {
    const place = { x: (at % 50) * 210, y: 4_100 + Math.floor(at / 50) * 110, w: 90, h: 90 };
    return [`n${at}`, { kind: 'sticky', text: `Note ${at}`, ...place }];
  });
  const metadata = { atoll: { canvas: { items: Object.fromEntries(notes) } } };
  return JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 });
}
