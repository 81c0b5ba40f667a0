import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { startPostgres } from '../apps/server/src/test/servers/postgres-server.ts';
import { buildWeb } from '../scripts/build-web.ts';
import { launchBrowser } from './browser.ts';
import { notebookOf } from './notebook-files.ts';
import { noteFrames, noteKeys, untilShown } from './notebook-in-page.ts';
import { atoll, jupyterLab, type Ours, type Peer } from './notebook-peers.ts';
import { together } from './notebook-people.ts';
import { median, p95, type Result } from './report.ts';

const repetitions = 3;

/** A notebook in a real browser, beside JupyterLab on the same files, machine and browser. */
export async function notebook(): Promise<Result[]> {
  await buildWeb();
  const browser = await launchBrowser();
  try {
    return [
      ...(await opening(browser)),
      ...(await typing(browser)),
      ...(await running(browser)),
      ...(await flooding(browser)),
      await alone(ours, together),
    ];
  } finally {
    await browser.close();
  }
}

/** One of the peers, for as long as it is measured: who writes in one notebook does not run the other one beside it. */
async function alone<Which extends Peer, Answer>(
  start: () => Promise<Which>,
  work: (peer: Which) => Promise<Answer>,
): Promise<Answer> {
  const peer = await start();
  try {
    return await work(peer);
  } finally {
    await peer.close();
  }
}

/** On PostgreSQL. */
async function ours(): Promise<Ours> {
  const postgres = await startPostgres();
  const peer = await atoll({ DATABASE_URL: postgres.urlOf('postgres') });
  return { ...peer, close: () => peer.close().then(() => postgres.stop()) };
}

const lab = 'JupyterLab';

async function pageFor(browser: Browser, peer: Peer): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await peer.prepare(page);
  return page;
}

/** Until what is typed is to be seen in the first cell. */
async function openAndType(page: Page, peer: Peer, address: string): Promise<number> {
  await page.goto('about:blank');
  const began = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator(peer.source).first().waitFor({ timeout: 120_000 });
  for (;;) {
    await page.locator(peer.source).first().click({ timeout: 120_000 });
    await page.keyboard.type('q');
    const typed = `document.querySelector('${peer.editor}')?.textContent?.includes('q')`;
    if (await isSoon(page, typed, 3_000)) return performance.now() - began;
  }
}

/** Asked from outside: our page lets no text be run in it. */
async function isSoon(page: Page, expression: string, withinMs: number): Promise<boolean> {
  for (const began = performance.now(); performance.now() - began < withinMs; await setTimeout(5)) {
    if (await page.evaluate(expression)) return true;
  }
  return false;
}

async function untilIdle(page: Page, peer: Peer): Promise<void> {
  if (!(await isSoon(page, peer.isIdle, 120_000))) throw new Error(`${peer.name} goes on running`);
}

async function opening(browser: Browser): Promise<Result[]> {
  const file = notebookOf(1_000);
  const measure = async (peer: Peer) => {
    const page = await pageFor(browser, peer);
    // Once before: what is measured is a notebook, not the download of an application.
    await openAndType(page, peer, await peer.add('warm.ipynb', notebookOf(3)));
    const times: number[] = [];
    for (let round = 0; round < repetitions; round++) {
      times.push(await openAndType(page, peer, await peer.add(`big-${round}.ipynb`, file)));
    }
    await page.context().close();
    return median(times);
  };
  const [mine, huge] = await alone(ours, async (peer) => {
    const large = await measure(peer);
    const page = await pageFor(browser, peer);
    await openAndType(page, peer, await peer.add('warm.ipynb', notebookOf(3)));
    const largest = await openAndType(page, peer, await peer.add('huge.ipynb', notebookOf(10_000)));
    await page.context().close();
    return [large, largest];
  });
  const theirs = await alone(jupyterLab, measure);
  return [
    {
      name: 'Open 1,000 cells until one can type',
      value: mine,
      unit: 'ms',
      peer: { name: lab, value: theirs },
      limit: { of: 'ratio', max: 0.5 },
    },
    { name: 'Open 10,000 cells until one can type', value: huge, unit: 'ms', limit: { of: 'value', max: 3_000 } },
  ];
}

/** From each key to the frame after it. As people type: a key is held for a moment, and a line ends somewhere. */
async function keystrokes(page: Page, source: string): Promise<number[]> {
  await page.locator(source).first().click();
  await page.keyboard.press('End');
  await page.evaluate(noteKeys);
  for (let key = 0; key < 150; key++) {
    const which = key % 50 === 49 ? 'Enter' : ('abcdefghij'[key % 10] ?? 'a');
    await page.keyboard.down(which);
    await page.waitForTimeout(30);
    await page.keyboard.up(which);
    await page.waitForTimeout(30);
  }
  return (await page.evaluate<number[]>('window.keyTimes')).slice(20);
}

/** Of a text field in an empty page: what the browser itself needs. */
async function bareKeystrokes(browser: Browser): Promise<number[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.setContent('<textarea></textarea>');
  const times = await keystrokes(page, 'textarea');
  await page.close();
  return times;
}

async function typing(browser: Browser): Promise<Result[]> {
  const at = async (peer: Peer, cells: number) => {
    const page = await pageFor(browser, peer);
    await openAndType(page, peer, await peer.add(`type-${cells}.ipynb`, notebookOf(cells)));
    await page.waitForTimeout(2_000);
    const times = await keystrokes(page, peer.source);
    await page.context().close();
    return times;
  };
  const [few, many, bare] = await alone(ours, async (peer) => {
    const times = { few: [] as number[], many: [] as number[], bare: [] as number[] };
    for (let round = 0; round < repetitions; round++) {
      times.few.push(...(await at(peer, 10)));
      times.many.push(...(await at(peer, 1_000)));
      times.bare.push(...(await bareKeystrokes(browser)));
    }
    return [p95(times.few), p95(times.many), p95(times.bare)] as const;
  });
  const beside = await alone(jupyterLab, async (peer) => p95(await at(peer, 1_000)));
  const base = { name: 'From a key to the painted frame in 1,000 cells, p95', value: many, unit: 'ms' };
  return [
    { ...base, peer: { name: 'a text field in an empty page', value: bare }, limit: { of: 'value', max: 16 } },
    { ...base, peer: { name: lab, value: beside }, limit: { of: 'ratio', max: 1 } },
    { ...base, peer: { name: 'the same in 10 cells', value: few }, limit: { of: 'ratio', max: 1.1 } },
  ];
}

const single = (source: string) =>
  JSON.stringify({
    cells: [{ cell_type: 'code', execution_count: null, id: 'c0', metadata: {}, outputs: [], source }],
    metadata: { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' } },
    nbformat: 4,
    nbformat_minor: 5,
  });

/**
 * Ctrl+Enter, which does what Shift+Enter does and stays in the cell. As people press it: one key is down a moment before the
 * other, else what it makes an editor draw would be counted.
 */
async function runOnce(page: Page, peer: Peer, expected: string): Promise<number> {
  const before = await page
    .locator(peer.count)
    .first()
    .textContent({ timeout: 100 })
    .catch(() => '');
  const what = JSON.stringify({ count: peer.count, outputs: peer.outputs, before, expected });
  await page.evaluate(`(${untilShown})(${what})`);
  await page.keyboard.down('Control');
  await page.waitForTimeout(60);
  await page.keyboard.press('Enter');
  await page.keyboard.up('Control');
  return page.evaluate<number>('window.shown');
}

async function running(browser: Browser): Promise<Result[]> {
  const measure = async (peer: Peer) => {
    const times: number[] = [];
    const page = await pageFor(browser, peer);
    await page.goto(await peer.add('one.ipynb', single('1+1')));
    await page.locator(peer.source).first().click();
    await page.waitForTimeout(5_000);
    for (let round = 0; round < 25; round++) {
      const time = await runOnce(page, peer, '2');
      if (round >= 5) times.push(time);
      await page.waitForTimeout(150);
    }
    await page.context().close();
    return times;
  };
  const starts = { 'on PostgreSQL': ours, 'on the embedded database': () => atoll(), [lab]: jupyterLab };
  const times = new Map<string, number[]>();
  // In turns: the machine is not as quick in one minute as in the next.
  for (let turn = 0; turn < repetitions; turn++) {
    for (const [name, start] of Object.entries<() => Promise<Peer>>(starts)) {
      times.set(name, [...(times.get(name) ?? []), ...(await alone(start, measure))]);
    }
  }
  const of = (name: string) => median(times.get(name) ?? []);
  return ['on PostgreSQL', 'on the embedded database'].map((name) => ({
    name: `From the key to the painted result of 1+1, ${name}`,
    value: of(name),
    unit: 'ms',
    peer: { name: lab, value: of(lab) },
    limit: { of: 'ratio', max: 0.7 },
  }));
}

interface Flood {
  frameMs: number;
  stopMs: number;
}

/** How long a frame takes on average while a cell prints, and how long Stop takes. */
async function flood(browser: Browser, peer: Peer): Promise<Flood> {
  const page = await pageFor(browser, peer);
  await page.goto(await peer.add('flood.ipynb', single('for i in range(100_000):\n    print(i)')));
  await page.locator(peer.source).first().click();
  await page.waitForTimeout(5_000);
  await page.evaluate(noteFrames);
  await page.keyboard.press('Control+Enter');
  await page.waitForTimeout(300);
  await untilIdle(page, peer);
  const frames = await page.evaluate<number[]>('window.frames');
  const frameMs = ((frames.at(-1) ?? 0) - (frames[0] ?? 0)) / (frames.length - 1);
  await page.goto(await peer.add('endless.ipynb', single('while True:\n    print("x" * 60)')));
  await page.waitForTimeout(5_000);
  const stops: number[] = [];
  for (let round = 0; round < 5; round++) {
    await page.locator(peer.source).first().click();
    await page.keyboard.press('Control+Enter');
    await page.waitForTimeout(2_000);
    const began = performance.now();
    await peer.stop(page);
    await untilIdle(page, peer);
    stops.push(performance.now() - began);
  }
  await page.context().close();
  return { frameMs, stopMs: median(stops) };
}

async function flooding(browser: Browser): Promise<Result[]> {
  const mine = await alone(ours, (peer) => flood(browser, peer));
  const theirs = await alone(jupyterLab, (peer) => flood(browser, peer));
  const peer = (value: number) => ({ name: lab, value });
  const frame = 'A frame while a cell prints 100,000 lines, on average';
  return [
    { name: frame, value: mine.frameMs, unit: 'ms', peer: peer(theirs.frameMs), limit: { of: 'value', max: 20 } },
    {
      name: 'From Stop to stopped while a cell prints without end, median of five',
      value: mine.stopMs,
      unit: 'ms',
      peer: peer(theirs.stopMs),
      limit: { of: 'value', max: 500 },
    },
  ];
}
