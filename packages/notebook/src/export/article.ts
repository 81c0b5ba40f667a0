import type { CellOutput, PublicationPayload, TocEntry } from '@atoll/contract';
import { classHighlighter, highlightCode } from '@lezer/highlight';
import { parser as python } from '@lezer/python';
import MarkdownIt from 'markdown-it';
import type { Fields } from '../fields.ts';
import { type FileCell, type NotebookFile, readOutputs } from '../file/read.ts';
import { tilesOf } from '../layout/grid.ts';
import { itemOf, type PlacedItem, placeOf, rowsOf, spansOf, type Thing, takeItems } from '../layout/layout.ts';
import { widgetOf } from '../widgets.ts';
import { HeadingAnchors, withKnownAnchors } from './anchors.ts';
import { PageFormulas } from './drawn-formulas.ts';
import { escaped } from './escaped.ts';
import { asFormula, languageOf, pictureUrl, plain, tableOf, withPictures } from './export.ts';
import { keptPictures } from './kept-pictures.ts';
import { mathRules } from './math-rules.ts';
import { sanitized } from './sanitized.ts';
import { type Sheets, sheetsOf } from './sheets.ts';
import { widgetAsText } from './widget-text.ts';

export interface Article {
  html: string;
  toc: TocEntry[];
  /** Addresses of pictures on other servers, whether kept with the notebook or not. */
  pictures: string[];
}

/** The part of the notebook to export, and the kind of page it is for. */
export interface ArticlePart {
  /** Exports this cell only. */
  cellId?: string;
  /** Exports these cells only. */
  cellIds?: readonly string[];
  /** Paper can neither open parts nor load rows: all stored rows are shown, with a note where there are more. */
  isPrinted?: boolean;
  /** Includes data of outputs that a script draws, for a page that cannot load it otherwise. */
  hasCharts: boolean;
  /** Follows the canvas: neighbours are in one row, with the notes between the cells. */
  isBoard?: boolean;
  /** Draws a picture of the canvas: each thing at its place. */
  sheets?: Sheets;
}

/** The article has so many rows of a table; the notebook has all of them. */
const mostRows = 50;
/** Outputs after this size stay without scripts; paper leaves nothing out. */
const mostChartData = 20 * 1024 ** 2;

/**
 * Limits the pictures of other servers, because one line can show a picture a thousand times, each time with all its data.
 */
const mostPictureData = 24 * 1024 ** 2;

/**
 * Converts a notebook to a page: sanitised, complete without scripts. Outputs that need a script are marked and activated
 * in the page.
 */
export function notebookAsArticle(
  notebook: NotebookFile,
  payload: PublicationPayload,
  { cellId, cellIds, hasCharts, isPrinted = false, isBoard = false, sheets }: ArticlePart = { hasCharts: false },
): Article {
  const hidden = new Set(payload.hidden_cell_ids);
  const chosen = cellIds ? new Set(cellIds) : null;
  const toc: TocEntry[] = [];
  const formulas = new PageFormulas();
  const kept = keptPictures(notebook.metadata);
  const asked = new Set<string>();
  let pictureRoom = mostPictureData;
  const clean = (html: string) =>
    sanitized(html, {
      find(address) {
        asked.add(address);
        const picture = kept.get(address);
        if (!picture || !('url' in picture) || picture.url.length > pictureRoom) return null;
        pictureRoom -= picture.url.length;
        return picture.url;
      },
    });
  const render = articleText(toc, formulas, clean);
  const medium = {
    hasCharts,
    isPrinted,
    metadata: notebook.metadata,
    language: languageOf(notebook),
    clean,
    left: isPrinted ? Number.POSITIVE_INFINITY : mostChartData,
  };
  const drawn = (cell: FileCell, shows: Pick<PublicationPayload, 'shows_code'> = payload) => {
    const body =
      cell.type === 'markdown' ? render(withPictures(cell)) : codeOf(cell, { ...payload, ...shows }, render, medium);
    return body ? `<section class="cell ${cell.type}" data-cell="${escaped(cell.id)}">${body}</section>` : '';
  };
  const cells = notebook.cells.filter(
    ({ id }) => !hidden.has(id) && (cellId === undefined || id === cellId) && (chosen?.has(id) ?? true),
  );
  const body = sheets
    ? sheetsOf({ ...notebook, cells }, sheets, (id, show) => {
        const cell = cells.find((each) => each.id === id);
        const part = cell && show === 'code' ? { ...cell, outputs: [] } : cell;
        return part ? drawn(part, { shows_code: payload.shows_code && show !== 'output' }) : '';
      })
    : isBoard && cellId === undefined
      ? boardOf(notebook, cells, payload, drawn)
      : cells
          .map((cell) => drawn(cell))
          .filter(Boolean)
          .join('\n');
  const html = withKnownAnchors(formulas.drawIn(body));
  return {
    html: isPrinted ? html.replace(/<details(?![^>]*\sopen\b)/g, '<details open') : html,
    toc,
    pictures: [...asked],
  };
}

/**
 * Exports the dashboard, if it has tiles; else the things on the canvas in rows. A canvas without things is exported as a
 * notebook.
 */
function boardOf(
  { metadata }: NotebookFile,
  cells: readonly FileCell[],
  { shows_code }: PublicationPayload,
  drawn: (cell: FileCell, shows?: { shows_code: boolean }) => string,
): string {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const { items } = takeItems(metadata);
  const notes = items.flatMap((item) => itemOf(item) ?? []);
  const tiles = tilesOf(cells, items);
  if (tiles.length > 0) {
    const shown = tiles.map(({ id, x, y, w, h }) => {
      const [cell, note] = [byId.get(id), notes.find((each) => each.id === id)];
      const body = cell ? drawn(cell, { shows_code: false }) : note ? noteOf(note) : '';
      return body && `<div class="tile" style="--c:${x + 1};--w:${w};--r:${y + 1};--h:${h}">${body}</div>`;
    });
    return `<div class="board"><div class="tiles">${shown.join('')}</div></div>`;
  }
  const things: Thing[] = [
    ...cells.flatMap((cell) => placeOf(cell) ?? []),
    ...notes.filter(({ kind, text, id }) => !byId.has(id) && text !== '' && /^(sticky|text|shape)$/.test(kind)),
  ];
  if (things.length === 0) return cells.map((cell) => drawn(cell)).join('\n');
  const rows = rowsOf(things).map((row) => {
    const spans = spansOf(row.map(({ w }) => w));
    const parts = row.map((thing, at) => {
      const cell = byId.get(thing.id);
      const body =
        thing.kind !== 'cell'
          ? noteOf(thing)
          : cell
            ? drawn(cell, { shows_code: shows_code && thing.show !== 'output' })
            : '';
      return body && `<div class="w${spans[at]}">${body}</div>`;
    });
    return parts.some(Boolean) ? `<div class="row">${parts.join('')}</div>` : '';
  });
  return `<div class="board">${rows.join('')}</div>`;
}

const noteOf = ({ kind, colour, size, text }: PlacedItem): string =>
  `<div class="item ${kind} ${colour} size-${size}">${escaped(text)}</div>`;

type Render = (text: string) => string;

/** Converts markdown to sanitised HTML. Formulas are inserted afterwards, because they are our own HTML. */
function articleText(toc: TocEntry[], formulas: PageFormulas, clean: Render): Render {
  const markdown = new MarkdownIt({ html: true, linkify: true }).use(mathRules, formulas.keep);
  const isSafe = markdown.validateLink.bind(markdown);
  markdown.validateLink = (url) => isSafe(url) || /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/i.test(url);
  const anchors = new HeadingAnchors();
  markdown.core.ruler.push('contents', (state) => {
    state.tokens.forEach((token, index) => {
      if (token.type !== 'heading_open') return;
      const level = Number(token.tag.slice(1));
      const inline = state.tokens[index + 1];
      const text = textIn(inline?.children ?? []);
      const { anchor, jupyter } = anchors.add(text);
      // The page has a heading of its own above.
      const tag = `h${Math.min(6, level + 1)}`;
      token.tag = tag;
      const close = state.tokens[index + 2];
      if (close) close.tag = tag;
      token.attrSet('id', anchor);
      if (jupyter) {
        const place = new state.Token('html_inline', '', 0);
        place.content = `<a id="${escaped(jupyter)}"></a>`;
        inline?.children?.unshift(place);
      }
      if (text) toc.push({ level, text, anchor });
    });
  });
  markdown.renderer.rules.table_open = () => `${scroller}<table>`;
  markdown.renderer.rules.table_close = () => '</table></div>';
  markdown.renderer.rules.fence = (tokens, index) => {
    const token = tokens[index];
    return highlighted(token?.content ?? '', token?.info.trim().split(/\s/)[0] ?? '');
  };
  return (text) => withScrolledTables(clean(markdown.render(text)));
}

const scroller = '<div class="table" tabindex="0">';

/** Makes HTML tables scroll, too, where they are wider than the page. */
function withScrolledTables(html: string): string {
  let depth = 0;
  let isWrapped = false;
  return html.replace(/<(\/?)table\b[^>]*>/g, (tag, end: string, at: number) => {
    if (end) return --depth === 0 && isWrapped ? `${tag}</div>` : tag;
    if (depth++ > 0) return tag;
    isWrapped = !html.slice(0, at).endsWith(scroller);
    return isWrapped ? scroller + tag : tag;
  });
}

const textIn = (children: readonly { type: string; content: string }[]): string =>
  children
    .filter(({ type }) => type === 'text' || type === 'code_inline' || type === 'math_inline')
    .map(({ content }) => content)
    .join('')
    .trim();

interface Medium {
  hasCharts: boolean;
  isPrinted: boolean;
  /** The notebook's metadata, with its widgets. */
  metadata: Fields;
  /** The language of the notebook's code. */
  language: string;
  /** Sanitises people's HTML. */
  clean: Render;
  /** The number of characters of data that still fit. */
  left: number;
}

function codeOf(cell: FileCell, payload: PublicationPayload, render: Render, medium: Medium): string {
  if (cell.type === 'raw') return payload.shows_code ? pre(cell.source) : '';
  const code =
    payload.shows_code && cell.source.trim()
      ? highlighted(cell.source, cell.type === 'sql' ? 'sql' : medium.language)
      : '';
  const outputs = withWholeStreams(cell.outputs).map((output, index) => {
    if (!output) return '';
    const { html, isLive } = shown(output, render, medium);
    const chart = medium.hasCharts ? chartData(output, medium) : '';
    // An element that may be wider than the page must be scrollable with the keyboard.
    const focus = html.includes('<table') ? ' tabindex="0"' : '';
    return html || chart
      ? `<div class="output"${focus}${isLive ? ` data-live="${index}"` : ''}>${html}${chart}</div>`
      : '';
  });
  return code + outputs.join('');
}

/** Highlights code with the colours of the editor's theme. */
function highlighted(source: string, language: string): string {
  const parts: string[] = [];
  const code = source.replace(/\n$/, '');
  if (language !== 'python' && language !== 'py') parts.push(escaped(code));
  else
    highlightCode(
      code,
      python.parse(code),
      classHighlighter,
      (text, classes) => parts.push(classes ? `<span class="${classes}">${escaped(text)}</span>` : escaped(text)),
      () => parts.push('\n'),
    );
  return `<pre class="code" tabindex="0"><code>${parts.join('')}</code></pre>`;
}

/** Converts an output; an output that only a script can draw is marked as live. */
function shown(output: CellOutput, render: Render, medium: Medium): { html: string; isLive?: boolean } {
  const { isPrinted, clean, metadata } = medium;
  if (output.output_type === 'stream') return { html: pre(plain(output.text)) };
  if (output.output_type === 'error') {
    const text = plain(output.traceback.join('\n') || `${output.ename}: ${output.evalue}`);
    return { html: `<pre class="error" tabindex="0">${escaped(text)}</pre>` };
  }
  const { data } = output;
  const url = pictureUrl(data);
  if (url) return { html: picture(url), isLive: isLive(output) };
  const recording = recordingOf(data);
  if (recording)
    return { html: isPrinted ? '<p class="note">A recording, which plays in the notebook.</p>' : recording };
  if (hasChart(data)) return { html: '<p class="note">This is an interactive chart.</p>', isLive: true };
  if (widgetType in data) {
    const widget = widgetOf(output, metadata);
    const html = widget && widgetAsText(widget, { clean, outputs: (all) => outputsAsText(all, render, medium) });
    return { html: html || withoutWidget(data['text/plain']), isLive: widget !== null };
  }
  const table = framedTable(data['application/vnd.atoll.dataframe+json'], isPrinted);
  if (table) return { html: table, isLive: true };
  const html = data['text/html'];
  if (typeof html === 'string') return { html: readableHtml(html, clean), isLive: isLive(output) };
  if (typeof data['text/markdown'] === 'string') return { html: render(data['text/markdown']) };
  if (typeof data['text/latex'] === 'string') return { html: render(asFormula(data['text/latex'])) };
  const json = data['application/json'];
  const text = json === undefined ? data['text/plain'] : JSON.stringify(json, null, 2);
  return { html: typeof text === 'string' ? pre(plain(text)) : '' };
}

/** A progress bar has a text form; a text of the other controls would only show how they were made. */
const withoutWidget = (text: unknown): string =>
  typeof text === 'string' && /\d+%\|/.test(text)
    ? pre(plain(text))
    : '<p class="note">This control works in the notebook.</p>';

/** The state of an Output widget holds its outputs, in any shape that code may write. */
const outputsAsText = (outputs: unknown, render: Render, medium: Medium): string =>
  readOutputs(Array.isArray(outputs) ? outputs : [], 0, [])
    .map((output) => shown(output, render, { ...medium, metadata: {} }).html)
    .join('');

/** The element can be scrolled with the keyboard. */
const pre = (text: string): string => `<pre tabindex="0">${escaped(text)}</pre>`;

/** A progress bar continues over several outputs: each stream is drawn as a whole, where it begins. */
function withWholeStreams(outputs: readonly CellOutput[]): (CellOutput | null)[] {
  const all: (CellOutput | null)[] = [];
  let open: Extract<CellOutput, { output_type: 'stream' }> | null = null;
  for (const output of outputs) {
    if (output.output_type === 'stream' && open?.name === output.name) {
      open.text += output.text;
      all.push(null);
    } else {
      open = output.output_type === 'stream' ? { ...output } : null;
      all.push(open ?? output);
    }
  }
  return all;
}

/** Returns an audio or video element with the data of the notebook. */
function recordingOf(data: Record<string, unknown>): string | null {
  const type = Object.keys(data).find((each) => /^(audio|video)\/[\w.+-]+$/.test(each));
  const content = type && data[type];
  if (!type || typeof content !== 'string') return null;
  const tag = type.startsWith('audio') ? 'audio' : 'video';
  return `<${tag} controls src="data:${type};base64,${escaped(content.replace(/\s/g, ''))}"></${tag}>`;
}

/** A diagram of scikit-learn needs its own styles; without them its text form is used. */
const isDiagram = /class="[^"]*\bsk-top-container\b/;
const isDrawnByScript = /<(script|iframe|canvas)\b|class="[^"]*\bsk-top-container\b/i;

/** Sanitises HTML; shows a note instead where only empty elements are left without its scripts. */
function readableHtml(html: string, clean: Render): string {
  const text = isDiagram.test(html)
    ? /<div class="sk-text-repr-fallback">\s*(<pre>.*?<\/pre>)/s.exec(html)?.[1]
    : undefined;
  const readable = clean(text ?? html);
  const isEmpty = !/<(img|hr|audio|video|progress)\b/.test(readable) && readable.replace(/<[^>]*>/g, '').trim() === '';
  return isEmpty && readable.includes('<') && isDrawnByScript.test(html)
    ? '<p class="note">This output is interactive.</p>'
    : readable;
}

const widgetType = 'application/vnd.jupyter.widget-view+json';

const chartTypes = [
  ['plotly', /^application\/vnd\.plotly\.v1\+json$/],
  ['vega-lite', /^application\/vnd\.vegalite\.v\d+(\.\d+)*\+json$/],
  ['vega', /^application\/vnd\.vega\.v\d+(\.\d+)*\+json$/],
] as const;

/** The data of a chart in a script element that no browser runs; the data cannot end its element. */
function chartData(output: CellOutput, medium: Medium): string {
  const [library, spec] = chartOf(output, medium) ?? [];
  const data = spec === undefined ? '' : JSON.stringify(spec).replaceAll('<', '\\u003c');
  if (!data || data.length > medium.left) return '';
  medium.left -= data.length;
  return `<script type="application/json" data-chart="${library}">${data}</script>`;
}

function chartOf(output: CellOutput, { metadata, isPrinted }: Medium): [library: string, spec: unknown] | null {
  if (!('data' in output)) return null;
  // Paper shows the readable form.
  const widget = isPrinted ? null : widgetOf(output, metadata);
  if (widget) return ['widgets', widget];
  for (const [library, pattern] of chartTypes) {
    const type = Object.keys(output.data).find((each) => pattern.test(each));
    if (type) return [library, output.data[type]];
  }
  const html = output.data['text/html'];
  // The HTML would be empty without its scripts. A printed table must not be in a frame, to break over several pages.
  const isDrawn = typeof html === 'string' && isLive(output) && isDrawnByScript.test(html);
  return isDrawn ? ['html', html] : null;
}

const hasChart = (data: Record<string, unknown>): boolean =>
  Object.keys(data).some((type) => /^application\/vnd\.(plotly|vega)/.test(type));

/**
 * Whether a script draws the output again in the page: a chart, a widget, a table with more rows, HTML that runs something.
 */
export function isLive(output: CellOutput, metadata: Fields = {}): boolean {
  if (!('data' in output)) return false;
  const { data } = output;
  if (widgetOf(output, metadata) || hasChart(data) || 'application/vnd.atoll.dataframe+json' in data) return true;
  const html = data['text/html'];
  return typeof html === 'string' && !pictureUrl(data) && /<(script|iframe|style|canvas)\b/i.test(html);
}

/** Adds the size of the picture, so that the page does not jump when it is loaded. */
function picture(url: string): string {
  const header = /^data:image\/png;base64,(.{32,48})/.exec(url)?.[1];
  const bytes = header ? Buffer.from(header, 'base64') : null;
  const size =
    bytes && bytes.length >= 24 ? ` width="${bytes.readUInt32BE(16)}" height="${bytes.readUInt32BE(20)}"` : '';
  return `<img alt=""${size} src="${escaped(url)}">`;
}

function framedTable(value: unknown, isPrinted: boolean): string | null {
  const table = tableOf(value, isPrinted ? undefined : mostRows);
  if (table === null) return null;
  const { rows, total } = value as { rows: unknown[]; total?: unknown };
  const more =
    isPrinted && typeof total === 'number' && total > rows.length
      ? `<p class="note">The first ${rows.length.toLocaleString('en')} of ${total.toLocaleString('en')} rows.</p>`
      : '';
  return `<div class="table" tabindex="0">${table}</div>${more}`;
}
