import type { CellOutput } from '@atoll/contract';
import MarkdownIt from 'markdown-it';
import { pythonText, variableOf } from '../cell-code.ts';
import { type FileCell, joined, type NotebookFile } from '../file/read.ts';
import { foldLine } from '../output.ts';
import { PageFormulas } from './drawn-formulas.ts';
import { escaped } from './escaped.ts';
import { mathRules } from './math-rules.ts';

const commented = (text: string, mark = '#'): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? mark : `${mark} ${line}`))
    .join('\n');

/**
 * Exports a script in the percent format, which editors show as cells again. Lines that Python does not know become
 * comments.
 */
export function notebookAsScript(notebook: NotebookFile): string {
  const { comment: mark } = scriptOf(notebook);
  const isPython = languageOf(notebook) === 'python';
  const parts = notebook.cells.map((cell) => {
    if (cell.type === 'markdown') return `${mark} %% [markdown]\n${commented(cell.source, mark)}`;
    if (cell.type === 'raw') return `${mark} %% [raw]\n${commented(cell.source, mark)}`;
    if (cell.type === 'sql') return `${mark} %% [sql]\n${isPython ? sqlAsCode(cell) : commented(cell.source, mark)}`;
    return `${mark} %%\n${isPython ? withoutMagics(cell.source) : cell.source}`;
  });
  return `${parts.join('\n\n')}\n`;
}

/** Exports a query for any DuckDB, which finds files and tables by their names itself. */
function sqlAsCode({ source, metadata }: FileCell): string {
  if (source.trim() === '') return '';
  const [query, variable] = [pythonText(source), variableOf({ metadata })];
  if (!/\$[A-Za-z_]/.test(source)) return `import duckdb\n\n${variable} = duckdb.sql(${query}).df()`;
  // Each statement may get only the variables it uses, and DuckDB knows them.
  return `import duckdb

for _statement in duckdb.extract_statements(${query}):
    _given = {name: globals()[name] for name in _statement.named_parameters}
    ${variable} = duckdb.sql(_statement, params=_given or None)
${variable} = ${variable}.df()`;
}

/** A cell with one of these magics is still Python. */
const pythonMagics = new Set(['time', 'timeit', 'capture', 'prun', 'python', 'python3', 'py']);
/** Matches `%magic`, `!command`, `x = !command`, `thing?`; neither a remainder of numbers nor the sign for unequal. */
const magic = /^(?:%{1,2}[A-Za-z]|![^=]|\?{1,2}[A-Za-z_]|[\w, ]+=\s*(?:![^=]|%[A-Za-z])|[\w.]+\?{1,2}\s*$)/;

/** A comment that begins with two percent signs would begin another cell. */
function withoutMagics(source: string): string {
  const cellMagic = /^\s*%%(\w*)/.exec(source)?.[1];
  if (cellMagic !== undefined && !pythonMagics.has(cellMagic)) return asComments(source);
  let isText = false;
  return source
    .split('\n')
    .map((line) => {
      const wasText = isText;
      if ((line.match(/"{3}|'{3}/g)?.length ?? 0) % 2 === 1) isText = !isText;
      const said = line.trimStart();
      if (wasText || !magic.test(said)) return line;
      const indent = line.slice(0, line.length - said.length);
      // An indented line may be the only one of its block, so it needs a statement.
      return indent ? `${indent}pass  ${asComments(said)}` : asComments(said);
    })
    .join('\n');
}

const asComments = (text: string): string => commented(text).replace(/^# (?=%%)/gm, '# Cell magic: ');

/** The language in lower case and without a version: `c++17` is `c++`. */
export const languageOf = ({ metadata }: NotebookFile): string => {
  const { language_info: info, kernelspec } = metadata as {
    language_info?: { name?: unknown };
    kernelspec?: { language?: unknown };
  };
  const name = info?.name ?? kernelspec?.language;
  const known =
    typeof name === 'string'
      ? name
          .toLowerCase()
          .replace(/[\d.]+$/, '')
          .trim()
      : '';
  return known === '' || known === 'ipython' ? 'python' : known;
};

interface Script {
  extension: string;
  comment: string;
}

const scripts: Record<string, [extension: string, comment?: string]> = {
  python: ['py'],
  r: ['r'],
  julia: ['jl'],
  ruby: ['rb'],
  perl: ['pl'],
  bash: ['sh'],
  powershell: ['ps1'],
  elixir: ['exs'],
  javascript: ['js', '//'],
  typescript: ['ts', '//'],
  java: ['java', '//'],
  scala: ['scala', '//'],
  kotlin: ['kts', '//'],
  groovy: ['groovy', '//'],
  swift: ['swift', '//'],
  go: ['go', '//'],
  rust: ['rs', '//'],
  c: ['c', '//'],
  'c++': ['cpp', '//'],
  'c#': ['csx', '//'],
  'f#': ['fsx', '//'],
  php: ['php', '//'],
  stata: ['do', '//'],
  sql: ['sql', '--'],
  lua: ['lua', '--'],
  haskell: ['hs', '--'],
  octave: ['m', '%'],
  matlab: ['m', '%'],
  prolog: ['pl', '%'],
  clojure: ['clj', ';;'],
  scheme: ['scm', ';;'],
  fortran: ['f90', '!'],
};

/** The file extension in the notebook is ignored, because a downloaded file could be anything then. */
export function scriptOf(notebook: NotebookFile): Script {
  const [extension = 'txt', comment = '#'] = scripts[languageOf(notebook)] ?? [];
  return { extension, comment };
}

/** Returns a fence that is longer than any fence in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals colour with
const escapes = /\u001b\[[0-9;]*[A-Za-z]/g;
/** Returns the text that a terminal shows at the end: progress bars overwrite themselves. */
export const plain = (text: string): string => foldLine(text.replace(escapes, ''));

export function notebookAsMarkdown(notebook: NotebookFile): string {
  const language = languageOf(notebook);
  const parts = notebook.cells.flatMap((cell) => {
    if (cell.type === 'markdown') return [withPictures(cell)];
    if (cell.type === 'raw') return [cell.source];
    const code = cell.source.trim() === '' ? [] : [fenced(cell.source, cell.type === 'sql' ? 'sql' : language)];
    return [...code, ...cell.outputs.map(outputAsMarkdown)];
  });
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Puts attached pictures into the text. */
export function withPictures({ source, attachments }: FileCell): string {
  return source.replace(/\(attachment:([^)\s]+)\)/g, (whole, name: string) => {
    const url = pictureUrl(attachments?.[decoded(name)]);
    return url ? `(${url})` : whole;
  });
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export function pictureUrl(bundle: unknown): string | null {
  const pictures = Object.entries((bundle ?? {}) as Record<string, unknown>).filter(([type]) =>
    type.startsWith('image/'),
  );
  const [found] = pictures.sort(([one], [other]) => Number(one === svg) - Number(other === svg));
  if (!found) return null;
  const [type, value] = found;
  if (type !== svg) return `data:${type};base64,${joined(value).replaceAll('\n', '')}`;
  // Brackets would end the address in a text.
  return `data:${svg};charset=utf-8,${encodeURIComponent(joined(value)).replace(/[()']/g, (each) => `%${each.charCodeAt(0).toString(16)}`)}`;
}

const svg = 'image/svg+xml';

function outputAsMarkdown(output: CellOutput): string {
  if (output.output_type === 'stream') return fenced(plain(output.text), '');
  if (output.output_type === 'error') return fenced(plain(output.traceback.join('\n') || output.evalue), '');
  const { data } = output;
  const url = pictureUrl(data);
  if (url) return `![](${url})`;
  if (typeof data['text/markdown'] === 'string') return data['text/markdown'];
  if (typeof data['text/latex'] === 'string') return data['text/latex'];
  if (typeof data['text/plain'] === 'string' && !('application/json' in data))
    return fenced(plain(data['text/plain']), '');
  if (typeof data['text/html'] === 'string') return fenced(data['text/html'], 'html');
  return 'application/json' in data ? fenced(JSON.stringify(data['application/json'], null, 2), 'json') : '';
}

/** Exports a page that runs nothing: code and text as they are, formulas and pictures. */
export function notebookAsHtml(notebook: NotebookFile, title: string): string {
  const formulas = new PageFormulas();
  const markdown = new MarkdownIt({ html: false, linkify: true }).use(mathRules, formulas.keep);
  // Pictures in the text may be data addresses of pictures.
  const isSafe = markdown.validateLink.bind(markdown);
  markdown.validateLink = (url) => isSafe(url) || /^data:image\/(png|jpeg|gif|webp);base64,/i.test(url);
  // A linked page learns neither the address of this page nor gets access to its window.
  markdown.renderer.rules.link_open = (tokens, index, options, _env, renderer) => {
    tokens[index]?.attrSet('rel', 'noopener noreferrer');
    return renderer.renderToken(tokens, index, options);
  };
  const body = notebook.cells.map((cell) => {
    if (cell.type === 'markdown') return `<section>${markdown.render(withPictures(cell))}</section>`;
    const code = `<pre class="code"><code>${escaped(cell.source)}</code></pre>`;
    return `<section>${code}${cell.outputs.map((output) => outputAsHtml(output, markdown)).join('')}</section>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escaped(title)}</title><style>${style}</style></head>
<body>${formulas.drawIn(body.join('\n'))}</body></html>
`;
}

function outputAsHtml(output: CellOutput, markdown: { render(text: string): string }): string {
  if (output.output_type === 'stream') return `<pre>${escaped(plain(output.text))}</pre>`;
  if (output.output_type === 'error') {
    return `<pre class="error">${escaped(plain(output.traceback.join('\n') || `${output.ename}: ${output.evalue}`))}</pre>`;
  }
  const { data } = output;
  const url = pictureUrl(data);
  if (url) return `<img alt="" src="${escaped(url)}">`;
  const frame = tableOf(data['application/vnd.atoll.dataframe+json']);
  if (frame) return frame;
  if (Object.keys(data).some((type) => /^application\/vnd\.(plotly|vega)/.test(type)))
    return '<p class="note">A chart that is drawn in the notebook only.</p>';
  if (typeof data['text/html'] === 'string') return framed(data['text/html']);
  if (typeof data['text/markdown'] === 'string') return markdown.render(data['text/markdown']);
  if (typeof data['text/latex'] === 'string') return markdown.render(asFormula(data['text/latex']));
  const json = data['application/json'];
  const text = json === undefined ? data['text/plain'] : JSON.stringify(json, null, 2);
  return typeof text === 'string' ? `<pre>${escaped(plain(text))}</pre>` : '';
}

/** Code writes a formula with or without its signs. */
export const asFormula = (text: string): string => (/^\s*(\$|\\\[|\\\(|\\begin)/.test(text) ? text : `$$${text}$$`);

const tallestFrame = 640;

/** Puts HTML into a frame that runs and loads nothing, like the page itself; its height is only an estimate. */
function framed(html: string): string {
  const rows = html.match(/<tr[\s>]/gi)?.length ?? 0;
  const height = rows ? Math.min(24 + rows * 31, tallestFrame) : 240;
  const look = `<style>${style}body{margin:0;padding:0;max-width:none}</style>`;
  return `<iframe sandbox title="Output" style="height:${height}px" srcdoc="${escaped(look + html)}"></iframe>`;
}

/** Reads all rows of a table, or the first; null for an output without a table. */
export function tableOf(value: unknown, mostRows?: number): string | null {
  const { columns, rows } = (value ?? {}) as { columns?: { name: string }[]; rows?: unknown[][] };
  if (!Array.isArray(columns) || !Array.isArray(rows) || !rows.every(Array.isArray)) return null;
  const line = (cells: unknown[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell === null ? '' : String(cell))}</${tag}>`).join('')}</tr>`;
  const head = line(
    columns.map((column) => column?.name ?? ''),
    'th',
  );
  const body = rows.slice(0, mostRows).map((row) => line(row, 'td'));
  return `<table><thead>${head}</thead><tbody>${body.join('')}</tbody></table>`;
}

const style = `body{font:16px/1.6 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
pre{font:13px/1.5 ui-monospace,monospace;overflow:auto;padding:.75rem 1rem;margin:.5rem 0}
pre.code{background:#f5f5f4;border-radius:6px}pre.error{background:#fef2f2;color:#991b1b}
img{max-width:100%}.formula{overflow:auto;text-align:center;margin:1rem 0}code.tex{border-bottom:1px dashed #777}iframe{width:100%;border:0;resize:vertical}.note{color:#777}table{border-collapse:collapse;font-size:14px}th,td{border-bottom:1px solid #e5e5e5;padding:.25rem .75rem;text-align:left}
@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}pre.code{background:#222}pre.error{background:#3b1414;color:#fca5a5}th,td{border-color:#333}}`;
