import type { FramePage } from '@atoll/contract';
import { foldLine } from '@atoll/notebook';
import { readFrame } from './frame.ts';

/** What a cell shows, ready to be drawn. */
export type Shown =
  /** May hold a terminal's colours. A long one comes in pieces, so that what is added costs little. */
  | { kind: 'text'; pieces: string[]; tone: 'plain' | 'stderr' | 'error' }
  | { kind: 'image'; address: string; alt: string; width?: number; height?: number }
  | { kind: 'html'; html: string }
  | { kind: 'markdown'; text: string }
  | { kind: 'json'; value: unknown }
  | { kind: 'chart'; library: 'plotly' | 'vega' | 'vega-lite' | 'widgets'; spec: unknown }
  | { kind: 'frame'; page: FramePage }
  | { kind: 'widget'; modelId: string; text: string };

export type Json = Record<string, unknown>;
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
/** The format allows a text to be a list of lines. */
export const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.join('') : typeof value === 'string' ? value : '';

const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** The safest form of each output that says the most; a stream that was cut into several outputs is one text. */
export function shownOutputs(outputs: unknown): Shown[] {
  const all: Shown[] = [];
  for (const output of listOf(outputs)) {
    const shown = read(output);
    const last = all.at(-1);
    if (!shown) continue;
    if (output.output_type === 'stream' && shown.kind === 'text' && last?.kind === 'text' && last.tone === shown.tone)
      last.pieces.push(...shown.pieces);
    else all.push(shown);
  }
  return all;
}

function read(output: Json): Shown | null {
  if (output.output_type === 'stream') {
    return {
      kind: 'text',
      pieces: [foldLine(textOf(output.text))],
      tone: output.name === 'stderr' ? 'stderr' : 'plain',
    };
  }
  if (output.output_type === 'error') {
    const traceback = Array.isArray(output.traceback) ? output.traceback.join('\n') : '';
    return { kind: 'text', pieces: [traceback || `${output.ename}: ${output.evalue}`], tone: 'error' };
  }
  return isObject(output.data) ? readBundle(output.data, isObject(output.metadata) ? output.metadata : {}) : null;
}

function readBundle(data: Json, metadata: Json): Shown | null {
  const plain = textOf(data['text/plain']);
  // What the code calls its picture; the usual `<Figure size …>` says nothing.
  const alt = plain && !/^<.*>$/.test(plain) ? plain.slice(0, 200) : 'Output of the cell';
  const drawn = readDrawn(data, plain);
  if (drawn) return drawn;
  const picture = pictures.find((type) => data[type]);
  if (picture) {
    const address = `data:${picture};base64,${textOf(data[picture]).replace(/\s/g, '')}`;
    return { kind: 'image', address, alt, ...sizeOf(metadata[picture]) };
  }
  if (data['image/svg+xml']) {
    const address = `data:image/svg+xml,${encodeURIComponent(textOf(data['image/svg+xml']))}`;
    return { kind: 'image', address, alt, ...sizeOf(metadata['image/svg+xml']) };
  }
  if (data['text/html']) return { kind: 'html', html: textOf(data['text/html']) };
  if (data['text/markdown']) return { kind: 'markdown', text: textOf(data['text/markdown']) };
  if (data['text/latex']) return { kind: 'markdown', text: formula(textOf(data['text/latex'])) };
  const json = data['application/json'];
  if (isObject(json) || Array.isArray(json)) return { kind: 'json', value: json };
  const text = json === undefined ? plain : JSON.stringify(json);
  return text ? { kind: 'text', pieces: [text], tone: 'plain' } : null;
}

/** How large code wants its picture: half of its dots on a fine screen, or whatever it was told. */
function sizeOf(wanted: unknown): { width?: number; height?: number } {
  const { width, height } = isObject(wanted) ? wanted : {};
  const isSize = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < 20_000;
  return { ...(isSize(width) ? { width } : {}), ...(isSize(height) ? { height } : {}) };
}

/** What a part of the page draws anew from data. */
function readDrawn(data: Json, plain: string): Shown | null {
  const page = readFrame(data['application/vnd.atoll.dataframe+json']);
  if (page) return { kind: 'frame', page };
  // An article's: it brings its state with it, as there is no notebook around it.
  const saved = data['application/vnd.jupyter.widget-state+json'];
  if (isObject(saved) && typeof saved.model_id === 'string') return { kind: 'chart', library: 'widgets', spec: saved };
  const widget = data['application/vnd.jupyter.widget-view+json'];
  if (isObject(widget) && typeof widget.model_id === 'string') {
    return { kind: 'widget', modelId: widget.model_id, text: plain };
  }
  for (const [type, spec] of Object.entries(data)) {
    if (!isObject(spec)) continue;
    if (type === 'application/vnd.plotly.v1+json') return { kind: 'chart', library: 'plotly', spec };
    const vega = /^application\/vnd\.(vega|vegalite)\.v\d+(\.\d+)*\+json$/.exec(type)?.[1];
    if (vega) return { kind: 'chart', library: vega === 'vega' ? 'vega' : 'vega-lite', spec };
  }
  return null;
}

/** Code says a formula with its signs or without. */
const formula = (text: string): string => (/^\s*(\$|\\\[|\\\(|\\begin)/.test(text) ? text : `$$${text}$$`);

export interface Clipped {
  head: string;
  /** Lines left out after the head. */
  hidden: number;
  tail: string;
}

/** The first and the last lines of a long text. */
export function clip(pieces: string[], headLines: number, tailLines: number): Clipped {
  const total = pieces.reduce((sum, piece) => sum + newlines(piece), 0);
  // A few lines are not worth a button.
  if (total <= headLines + tailLines + 3) return { head: pieces.join(''), hidden: 0, tail: '' };
  const tail = lastLines(pieces, tailLines);
  return { head: firstLines(pieces, headLines), hidden: total - headLines - newlines(tail), tail };
}

function newlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function firstLines(pieces: string[], lines: number): string {
  let [taken, left] = ['', lines];
  for (const piece of pieces) {
    let end = 0;
    while (left > 0) {
      const next = piece.indexOf('\n', end);
      if (next === -1) break;
      end = next + 1;
      left -= 1;
    }
    if (left === 0) return taken + piece.slice(0, end);
    taken += piece;
  }
  return taken;
}

function lastLines(pieces: string[], lines: number): string {
  let [taken, left] = ['', lines];
  // The end of the last line is not the beginning of another.
  let isEnd = true;
  for (const piece of pieces.filter(Boolean).toReversed()) {
    let start = isEnd && piece.endsWith('\n') ? piece.length - 1 : piece.length;
    isEnd = false;
    while (left > 0) {
      start = start === 0 ? -1 : piece.lastIndexOf('\n', start - 1);
      if (start === -1) break;
      left -= 1;
    }
    if (left === 0) return piece.slice(start + 1) + taken;
    taken = piece + taken;
  }
  return taken;
}

const longestLine = 2_000;
export const hasLongLine = (text: string): boolean =>
  text.length > longestLine && text.split('\n').some((line) => line.length > longestLine);

/** A line of a megabyte would keep the browser busy for seconds. */
export const shortenLines = (text: string): string =>
  text.length <= longestLine
    ? text
    : text
        .split('\n')
        .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)} …` : line))
        .join('\n');
