import interFaces from '@fontsource/inter/400.css?inline';
import italicFaces from '@fontsource/inter/400-italic.css?inline';
import boldFaces from '@fontsource/inter/700.css?inline';
import monoFaces from '@fontsource/jetbrains-mono/400.css?inline';
import { lookOfPage } from '../embed/look-of-page.ts';
import { type ChartLibrary, chartPage, chartScript } from '../features/outputs/chart-page.ts';
import type { Still } from '../features/outputs/frame-scripts/given.ts';

/** What a page to print needs of the build: its fonts, and charts as still pictures. */

// Each weight by itself: of a variable font a PDF can hold the shapes of letters only, not the font.
const faces = document.createElement('style');
faces.textContent = interFaces + italicFaces + boldFaces + monoFaces;
document.head.append(faces);

const timeLimit = 30_000;

type Said = Partial<Still> & { problem?: string };

/** A library takes longer to start than a chart to draw: one frame draws all charts of its kind, one after the other. */
const frames = new Map<ChartLibrary, Promise<HTMLIFrameElement>>();
const queues = new Map<ChartLibrary, Promise<unknown>>();

/** Vectors, drawn in a sandboxed frame of this width. */
export function chartPicture(library: ChartLibrary, spec: unknown, width: number): Promise<HTMLImageElement> {
  const before = queues.get(library) ?? Promise.resolve();
  const picture = before.then(() => draw(library, spec, width));
  queues.set(
    library,
    picture.catch(() => {}),
  );
  return picture;
}

/** Runs in the frame: says that all of it is there, or what is not. */
const watching = `<script>
addEventListener('error', ({ target, message }) => parent.postMessage({
  problem: target === window ? message : (target.src || target.href) + ' cannot be loaded.',
}, '*'), true);
addEventListener('load', () => setTimeout(() => parent.postMessage({
  drawn: contentHeight(),
}, '*'), 300));
</script>`;

/** HTML with scripts, in place and as tall as it is; one that is taller than a page is made smaller. */
export async function drawHtml(html: string, place: HTMLElement, tallest: number): Promise<void> {
  const { text, surface, isDark } = lookOfPage();
  const style = `<style>:root{color-scheme:${isDark ? 'dark' : 'light'}}body{margin:0;color:${text};background:${surface};font:13px/1.5 system-ui,sans-serif}</style>`;
  const frame = newFrame('Output');
  await answerOf(
    frame,
    (data) => data === 'ready',
    () => place.replaceChildren(frame),
  );
  const isEnd = (data: unknown): data is { drawn?: number; problem?: string } => typeof data === 'object';
  const { drawn, problem } = await answerOf(frame, isEnd, () => {
    frame.contentWindow?.postMessage(`<!doctype html><meta charset="utf-8">${style}${watching}${html}`, '*');
  });
  if (typeof drawn !== 'number') throw new Error(String(problem).slice(0, 300));
  frame.className = 'output-frame';
  frame.style.height = `${drawn}px`;
  if (drawn > tallest) frame.style.zoom = String(Math.max(0.3, tallest / drawn));
}

function newFrame(title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = title;
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.src = '/assets/output-frame-3.html';
  return frame;
}

async function draw(library: ChartLibrary, spec: unknown, width: number): Promise<HTMLImageElement> {
  const opened = frames.get(library) ?? open(library);
  frames.set(library, opened);
  try {
    const frame = await opened;
    const said = await answerOf(
      frame,
      (data): data is Said => typeof data === 'object',
      () => {
        // The frame has no origin of its own that could be named.
        frame.contentWindow?.postMessage({ spec, width }, '*');
      },
    );
    if (typeof said.problem === 'string') throw new Error(said.problem.slice(0, 300));
    const picture = new Image(Number(said.width) || width, Number(said.height) || 420);
    picture.alt = 'Chart';
    // As a picture it can neither run nor load anything.
    picture.src = `data:image/svg+xml,${encodeURIComponent(String(said.picture))}`;
    return picture;
  } catch (error) {
    // It may be busy for ever; the next chart gets a new one.
    frames.delete(library);
    opened.then((frame) => frame.remove()).catch(() => {});
    throw error;
  }
}

async function open(library: ChartLibrary): Promise<HTMLIFrameElement> {
  const script = await chartScript(library);
  const content = chartPage({ library, script, spec: null, look: lookOfPage(), isPrinted: true });
  const frame = newFrame('Charts');
  // Within the window, or the browser gives it no frames to draw in; seen by none, and not on paper.
  frame.className = 'drawing';
  await answerOf(
    frame,
    (data) => data === 'ready',
    () => document.body.append(frame),
  );
  await answerOf(
    frame,
    (data) => data === 'drawing',
    () => frame.contentWindow?.postMessage(content, '*'),
  );
  return frame;
}

function answerOf<Answer>(
  frame: HTMLIFrameElement,
  isAnswer: (data: unknown) => data is Answer,
  ask: () => void,
): Promise<Answer>;
function answerOf(frame: HTMLIFrameElement, isAnswer: (data: unknown) => boolean, ask: () => void): Promise<unknown>;
function answerOf(frame: HTMLIFrameElement, isAnswer: (data: unknown) => boolean, ask: () => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      removeEventListener('message', hear);
      reject(new Error(`It was not drawn within ${timeLimit / 1_000} s.`));
    }, timeLimit);
    const hear = ({ source, data }: MessageEvent<unknown>) => {
      // What it says of its height is for pages that show it.
      const isHeight = typeof data === 'object' && data !== null && Object.keys(data).join() === 'height';
      if (source !== frame.contentWindow || isHeight || !isAnswer(data)) return;
      clearTimeout(timer);
      removeEventListener('message', hear);
      resolve(data);
    };
    addEventListener('message', hear);
    ask();
  });
}
