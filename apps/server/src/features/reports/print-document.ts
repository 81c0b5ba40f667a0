import type { PersonSummary, PrintSettings } from '@atoll/contract';
import { personName } from '@atoll/contract/users/names';
import { articleColours, articleStyle } from '@atoll/notebook/article-style';
import { sheetStyle } from '@atoll/notebook/sheets';
import { contentSize, paperOf } from './paper.ts';

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const quoted = (text: string) =>
  `"${text.replace(/["\\<>&\n]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `)}"`;

const fonts = { text: 'Inter,system-ui,sans-serif', code: "'JetBrains Mono',ui-monospace,monospace" };
const page = { light: { ground: '#ffffff', quiet: '#656d76' }, dark: { ground: '#14171a', quiet: '#9aa3ad' } };

/** Frames that are shown, and those that charts are drawn in. */
const frameStyle =
  '.output-frame{display:block;width:100%;border:0;break-inside:avoid}.drawing{position:fixed;top:0;left:0;width:100%;height:600px;border:0;opacity:0;pointer-events:none}@media print{.drawing{display:none}}';

export interface PrintedDocument {
  settings: PrintSettings;
  /** Its address on this server. */
  cover: string | null;
  /** Of the installation, in the mode of the paper: its address on this server. */
  watermark: string | null;
  title: string;
  description: string;
  authors: PersonSummary[];
  publishedAt: Date | null;
  /** Null for what has no versions. */
  number: number | null;
  /** As `2026-11-17`. */
  date: string;
  html: string;
}

/** The whole page: what Chromium prints, what is previewed, and what a reader prints from their own browser. */
export function printDocument(printed: PrintedDocument): string {
  const { settings, authors, publishedAt, number, html } = printed;
  const title = settings.title || printed.title;
  const date = settings.header_date ? longDate(new Date(`${printed.date}T00:00:00Z`)) : '';
  const facts = [
    authors.map(personName).join(', '),
    publishedAt ? longDate(publishedAt) : '',
    number === null ? '' : `Version ${number}`,
  ];
  return `<!doctype html><html lang="en" data-mantine-color-scheme="${settings.print_theme}"><head><meta charset="utf-8">
<title>${escaped(title)}</title><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${settings.print_theme}"><meta name="robots" content="noindex"><base target="_blank">
<style>${articleStyle}${styleOf(settings, date)}</style></head><body>
<main id="page">${strip('top', settings.header_text, date)}<article class="article printed"><header>${printed.cover ? `<img class="cover" alt="" src="${escaped(printed.cover)}">` : ''}<h1>${escaped(title)}</h1>
${printed.description ? `<p class="lead">${escaped(printed.description)}</p>` : ''}
<p class="byline">${escaped(facts.filter(Boolean).join(' · '))}</p></header>
<div class="article-body">${html || '<p class="note">There is nothing to print: no cell is chosen.</p>'}</div></article>${strip('bottom', settings.footer_text, '')}${printed.watermark ? `<img class="watermark" alt="" src="${escaped(printed.watermark)}">` : ''}</main>
<script type="module" src="/assets/print-page.js"></script></body></html>`;
}

/** A canvas as it stands: a page for each sheet, as large as the sheet. */
export const sheetDocument = ({ title, html, width, height }: SheetDocument): string =>
  `<!doctype html><html lang="en" data-mantine-color-scheme="light"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<meta name="robots" content="noindex"><style>${articleStyle}${sheetStyle}${frameStyle}@page{size:${width}px ${height}px;margin:0}html,body{margin:0;background:#fff;print-color-adjust:exact}.article{max-width:none!important;margin:0;width:${width}px}.sheet{break-after:page;break-inside:avoid}.sheet:last-child{break-after:auto}</style></head><body>
<article class="article printed"><div class="article-body">${html}</div></article><script type="module" src="/assets/print-page.js"></script></body></html>`;

interface SheetDocument {
  title: string;
  html: string;
  width: number;
  height: number;
}

const longDate = (date: Date) => date.toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' });

/** On the screen, and on the paper of browsers that have no margin boxes. */
const strip = (place: string, left: string, right: string) =>
  left || right ? `<div class="strip ${place}"><span>${escaped(left)}</span><span>${escaped(right)}</span></div>` : '';

/** Literal colours: the margins of a page know no custom properties. */
function styleOf(settings: PrintSettings, date: string): string {
  const { width, height, margins } = paperOf(settings);
  const content = contentSize(settings);
  const { ground, quiet } = page[settings.print_theme];
  const scale = settings.print_width ? content.width / settings.print_width : 1;
  const box = (place: string, text: string) => `@${place}{content:${text};color:${quiet};font:400 8.5pt ${fonts.text}}`;
  return `
@page{size:${width}mm ${height}mm;margin:${margins.top}mm ${margins.side}mm ${margins.bottom}mm;background:${ground};
${box('top-left', quoted(settings.header_text))}${box('top-right', quoted(date))}${box('bottom-left', quoted(settings.footer_text))}${box('bottom-right', 'counter(page) " / " counter(pages)')}}
html,body{margin:0;background:${ground}!important;print-color-adjust:exact;-webkit-print-color-adjust:exact}
#page{padding:0;min-height:0;width:${content.width}px;margin:0 auto}
.article.printed{${articleColours[settings.print_theme]};width:${content.width / scale}px;max-width:none;margin:0;font:${scale === 1 ? '10.5pt' : '1rem'}/1.55 ${fonts.text};zoom:${scale}}.article.printed code,.article.printed pre{font-family:${fonts.code}}
.printed .cover{display:block;margin:0 0 1.2rem;max-width:100%;max-height:${Math.floor(content.height / 3 / scale)}px!important;border-radius:8px}.printed h1{font-size:1.9em}.printed .lead{font-size:1.1em}.printed .byline{font-size:.85em;margin-bottom:1.5rem}
.printed h2{font-size:1.4em;margin:1.6em 0 .5em}.printed h3{font-size:1.18em;margin:1.4em 0 .4em}
.printed pre{white-space:pre-wrap;overflow:visible;font-size:.75em}
.printed .table,.printed .output,.printed .formula{overflow:visible}
.printed thead{display:table-header-group}.printed tfoot{display:table-row-group}
.printed table{font-size:.8em;overflow-wrap:break-word;line-height:1.4}.printed table.wide th,.printed table.wide td{padding:.25rem .4rem}.printed table.narrow{overflow-wrap:anywhere}.printed table.narrow td,.printed table.narrow th{min-width:5em}
.printed h1,.printed h2,.printed h3,.printed h4,.printed h5,.printed h6,.printed summary{break-after:avoid}
.printed tr,.printed img,.printed figure,.printed .chart,.printed .formula,.printed blockquote,.printed .note{break-inside:avoid}
.printed pre.code:not(:last-child){break-after:avoid}.printed pre.short,.printed table.short{break-inside:avoid}
.printed img{max-height:${Math.floor((content.height - 24) / scale)}px;width:auto;object-fit:contain}
.printed p,.printed li{orphans:3;widows:3}
.printed .chart img{display:block;max-width:100%}.printed .failed{border:1px solid var(--article-line);border-radius:8px;padding:.6rem .8rem;color:var(--article-bad-ink);background:var(--article-bad)}
${frameStyle}.watermark{position:fixed;right:0;bottom:0;height:18px;width:auto;opacity:.5}.strip{display:flex;justify-content:space-between;gap:2rem;color:${quiet};font:400 8.5pt ${fonts.text};margin-bottom:1.5rem}.strip.bottom{margin:2rem 0 0}
@media screen and (min-width:${content.width + 64}px){#page{padding:40px 32px}}
@media print{.has-margin-boxes .strip{display:none}}
`.replace(/\n/g, '');
}
