import { type ChartLibrary, chartPage, chartScript } from '../features/outputs/chart-page.ts';
import { htmlPage } from '../features/outputs/html-page.ts';
import { lookOfPage } from './look-of-page.ts';

/** In an embed: draws charts and HTML with scripts, whose data the server has put into the page, each in its own sandboxed frame. */

const tallest = 2_000;
const titles: Record<string, string> = { html: 'Output of the cell', widgets: 'Widget' };

async function contentOf(data: HTMLScriptElement): Promise<string> {
  const library = data.dataset.chart as ChartLibrary | 'html';
  const given = JSON.parse(data.text);
  if (library === 'html') return htmlPage(given, lookOfPage());
  const note = data.parentElement?.querySelector('.note');
  const words = note?.textContent ?? '';
  if (note) note.textContent = 'Loading embedded content...';
  const script = await chartScript(library).finally(() => {
    if (note) note.textContent = words;
  });
  return chartPage({ library, script, spec: given, look: lookOfPage() });
}

async function draw(data: HTMLScriptElement): Promise<void> {
  const content = await contentOf(data);
  const frame = document.createElement('iframe');
  frame.title = titles[data.dataset.chart ?? ''] ?? 'Chart';
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.style.height = data.dataset.chart === 'widgets' ? '60px' : '420px';
  addEventListener('message', ({ source, data: said }) => {
    if (source !== frame.contentWindow) return;
    // The frame has no origin of its own that could be named.
    if (said === 'ready') frame.contentWindow?.postMessage(content, '*');
    else if (typeof said?.height === 'number') frame.style.height = `${Math.max(0, Math.min(said.height, tallest))}px`;
  });
  frame.src = '/assets/embed-output-2.html';
  // In place of the picture or the note that stands for it.
  data.parentElement?.replaceChildren(frame);
}

// What cannot be drawn stays as it is: a picture, a note, or what can be read of it.
for (const data of document.querySelectorAll<HTMLScriptElement>('script[data-chart]')) draw(data).catch(() => {});
