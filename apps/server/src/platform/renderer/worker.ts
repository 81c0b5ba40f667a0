import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
  type PageScreenshotOptions,
  type Route,
} from 'playwright-core';
import type { FromWorker, PageAnswer, PageParts, Rendered, RenderJob, ToWorker, WorkerSetup } from './messages.ts';

/**
 * A process that drives one Chromium and does nothing else. An unexpected error ends it instead of being repaired, and its
 * parent starts another one. Chromium has no network: the parent answers the page's requests to our address.
 */

const send = (message: FromWorker) => process.send?.(message);

let setup: WorkerSetup;
let launched: Promise<Browser> | null = null;

process.on('message', (message: ToWorker) => {
  if (message.type === 'setup') setup = message.setup;
  else if (message.type === 'answer') answered(message.id, message.answer);
  else
    render(message.id, message.job, message.msLeft).then(
      (rendered) => send({ type: 'done', id: message.id, rendered }),
      (error: unknown) => send({ type: 'failed', id: message.id, ...failureOf(error) }),
    );
});
process.on('disconnect', () => process.exit());

class Failure extends Error {
  readonly isTransient: boolean;
  readonly cellIds: string[];
  constructor(message: string, { isTransient = false, cellIds = [] as string[] } = {}) {
    super(message);
    this.isTransient = isTransient;
    this.cellIds = cellIds;
  }
}

const failureOf = (error: unknown) =>
  error instanceof Failure
    ? { reason: error.message, isTransient: error.isTransient, cellIds: error.cellIds }
    : {
        reason: `The page could not be drawn: ${(error as Error).message.split('\n')[0]}`,
        isTransient: true,
        cellIds: [],
      };

function open(): Promise<Browser> {
  launched ??= chromium
    .launch({
      executablePath: setup.browser,
      chromiumSandbox: setup.hasOwnSandbox,
      args: [
        // This proxy does not exist, so a request that bypasses the interception fails.
        '--proxy-server=http://127.0.0.1:9',
        '--proxy-bypass-list=<-loopback>',
        '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
        '--disable-dev-shm-usage',
        '--font-render-hinting=none',
      ],
    })
    .then((browser) => {
      browser.on('disconnected', () => process.exit(1));
      return browser;
    });
  launched.catch(() => {
    launched = null;
  });
  return launched;
}

const questions = new Map<number, (answer: PageAnswer) => void>();
let lastQuestion = 0;
/** The libraries of charts are large, and their names change with their content, so they are cached. */
const assets = new Map<string, PageAnswer>();

function answered(id: number, answer: PageAnswer): void {
  // A message between processes does not keep the Buffer type.
  questions.get(id)?.({ ...answer, body: Buffer.from(answer.body) });
  questions.delete(id);
}

async function ask(path: string): Promise<PageAnswer> {
  const known = assets.get(path);
  if (known) return known;
  const id = ++lastQuestion;
  const answer = await new Promise<PageAnswer>((resolve) => {
    questions.set(id, resolve);
    send({ type: 'ask', id, path });
  });
  if (path.startsWith('/assets/') && answer.status === 200) assets.set(path, answer);
  return answer;
}

async function allowOwnAddress(route: Route): Promise<void> {
  const request = route.request();
  const url = new URL(request.url());
  if (url.origin !== setup.origin || request.method() !== 'GET') return route.abort('blockedbyclient');
  const { status, headers, body } = await ask(url.pathname + url.search);
  return route.fulfill({ status, headers, body });
}

/** An unused page in a context of its own. */
interface FreshPage {
  context: BrowserContext;
  page: Page;
  /** Receives the page's report about its parts. */
  hear(said: PageParts): void;
}

/** Opening a page takes as long as printing a short one, so the next one is opened before it is needed. */
let spare: Promise<FreshPage> | null = null;

async function openPage(format: RenderJob['format']): Promise<FreshPage> {
  const browser = await open().catch((error: Error) => {
    throw new Failure(`Chromium did not start: ${error.message.split('\n')[0]}`, { isTransient: true });
  });
  const context = await browser.newContext({
    deviceScaleFactor: format === 'pdf' ? 1 : 2,
    serviceWorkers: 'block',
    acceptDownloads: false,
    reducedMotion: 'reduce',
    colorScheme: 'light',
    locale: 'en',
    timezoneId: 'UTC',
  });
  await context.route('**/*', (route) => allowOwnAddress(route).catch(() => {}));
  await context.routeWebSocket(/.*/, (socket) => socket.close());
  const page = await context.newPage();
  const fresh: FreshPage = { context, page, hear() {} };
  await context.exposeBinding('reportPrintState', ({ frame }, said: PageParts) => {
    // Frames with users' charts have this function too.
    if (frame === page.mainFrame()) fresh.hear(said);
  });
  return fresh;
}

function takePage(format: RenderJob['format']): Promise<FreshPage> {
  if (format !== 'pdf' || !spare) return openPage(format);
  const taken = spare;
  spare = null;
  return taken;
}

async function render(id: number, job: RenderJob, msLeft: number): Promise<Rendered> {
  const opening = takePage(job.format);
  let parts: PageParts | null = null;
  let alarm: NodeJS.Timeout | undefined;
  const hear = (said: PageParts) => {
    parts = said;
    send({ type: 'progress', id, parts: said });
  };
  try {
    return await new Promise<Rendered>((resolve, reject) => {
      alarm = setTimeout(() => reject(late(parts, msLeft)), msLeft);
      opening.then((fresh) => draw(fresh, job, hear)).then(resolve, reject);
    });
  } finally {
    clearTimeout(alarm);
    opening.then(({ context }) => closed(context)).catch(() => {});
    spare ??= openPage('pdf');
    spare.catch(() => {
      spare = null;
    });
  }
}

/** Closes a context; one that does not close would keep its content in memory. */
async function closed(context: BrowserContext): Promise<void> {
  const patience = setTimeout(() => process.exit(1), 5_000);
  await context.close().finally(() => clearTimeout(patience));
}

async function draw(fresh: FreshPage, job: RenderJob, onParts: (parts: PageParts) => void): Promise<Rendered> {
  const { page } = fresh;
  await page.setViewportSize({ width: job.width, height: job.height });
  const parts = await new Promise<PageParts>((resolve, reject) => {
    page.on('crash', () => reject(new Failure('The page needs more memory than there is.')));
    fresh.hear = (said) => {
      onParts(said);
      if (said.isReady) resolve(said);
    };
    page
      .goto(setup.origin + job.path, { waitUntil: 'commit', timeout: 0 })
      .then((response) => {
        // The page may have changed since.
        if (response?.status() !== 200)
          throw new Failure(`The page to print answered with ${response?.status()}.`, { isTransient: true });
      })
      .catch(reject);
  });
  if (job.format === 'pdf') return { ...(await pdfOf(page, job, parts)), failedParts: parts.failed };
  await showAll(page, parts);
  const body = job.format === 'png' ? await pictureOf(page) : await xhtmlOf(page);
  return { body, pages: 1, failedParts: parts.failed };
}

const heightOf = (page: Page) => page.evaluate<number>('document.documentElement.getBoundingClientRect().height');

async function pdfOf(page: Page, { mostPages, height }: RenderJob, parts: PageParts) {
  // A print takes somewhat more or less room; a page that is far too long is not even tried.
  const estimate = Math.floor((await heightOf(page)) / height);
  if (estimate > mostPages * 1.5) throw tooLong(`It has about ${estimate} pages, and ${mostPages} is the most.`, parts);
  const body = await page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: true, outline: true });
  const pages = Math.max(
    0,
    ...[...body.toString('latin1').matchAll(/\/Type \/Pages\b[^>]*?\/Count (\d+)/g)].map(([, count]) => Number(count)),
  );
  if (pages > mostPages) throw tooLong(`It has ${pages} pages, and ${mostPages} is the most.`, parts);
  return { body, pages };
}

/** The largest picture that Chromium draws. */
const mostPixels = 16_000;

/** Frames outside of the window are not painted. */
async function showAll(page: Page, parts: PageParts): Promise<void> {
  const height = Math.ceil(await heightOf(page));
  if (height * 2 > mostPixels) throw tooLong('It is too tall for one picture: use PDF, or print fewer cells.', parts);
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 800, height });
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}

const pictureOf = (page: Page): Promise<Buffer> =>
  page.screenshot({ fullPage: true, animations: 'disabled', timeout: 0 });

/** The page hands over each of its frames to be captured, and inserts the picture in its place. */
async function xhtmlOf(page: Page): Promise<Buffer> {
  const count = await page.evaluate<number>('stills.count');
  for (let at = 0; at < count; at += 1) {
    const clip = await page.evaluate<Clip | null>(`stills.raise(${at})`);
    const picture = clip && (await page.screenshot({ clip, animations: 'disabled', timeout: 0 }));
    await page.evaluate(`stills.replace(${at}, ${JSON.stringify(picture?.toString('base64') ?? null)})`);
  }
  return Buffer.from(await page.evaluate<string>('stills.xhtml()'));
}

type Clip = NonNullable<PageScreenshotOptions['clip']>;

const tooLong = (reason: string, { tallest }: PageParts) =>
  new Failure(`${reason}${tallest ? ` Cell ${tallest} takes most of it.` : ''}`, { cellIds: tallest ? [tallest] : [] });

function late(parts: PageParts | null, ms: number): Failure {
  const done = new Set(parts ? [...parts.drawn, ...parts.empty, ...parts.failed.map(({ cellId }) => cellId)] : []);
  const cellIds = parts?.expected.filter((each) => !done.has(each)) ?? [];
  const words = cellIds.length > 0 ? `Cell ${cellIds[0]} was not drawn in time` : 'The page was not drawn in time';
  return new Failure(`${words} (${Math.round(ms / 1_000)} s).`, { isTransient: cellIds.length === 0, cellIds });
}
