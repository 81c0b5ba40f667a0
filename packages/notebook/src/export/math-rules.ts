import type { MarkdownIt } from 'markdown-it';
import { escaped } from './escaped.ts';

/** `isInText`: the formula stands in a sentence, even one that is shown as a block. */
export type Draw = (tex: string, isBlock: boolean, isInText: boolean) => string;

/** Returns a placeholder for the formula, and its text until it is drawn. */
const drawnLater: Draw = (tex, isBlock, isInText) => {
  const tag = isInText ? 'span' : 'div';
  return `<${tag} data-tex="${escaped(tex)}"${isBlock ? ' data-block=""' : ''}>${escaped(tex)}</${tag}>`;
};

interface Found {
  tex: string;
  end: number;
  isBlock: boolean;
}

/** Finds a text further on; these rules look ahead only through this function. */
export type Find = (text: string, what: string, from: number) => number;

/**
 * The ends that formulas can have, in one text. A page full of beginnings without an end must not be read to its end for
 * each of them: an end that was not found is not searched again, and one search finds all environments by name.
 */
class Ends {
  private readonly text: string;
  private readonly find: Find;
  /** The position from which on an end is missing, by end. */
  private readonly missing = new Map<string, number>();
  private environments: Map<string, number[]> | null = null;
  /** The positions of all `$$`. */
  private signs: number[] | null = null;

  constructor(text: string, find: Find) {
    this.text = text;
    this.find = find;
  }

  /** Returns -1 where there is no further one. */
  next(what: string, from: number): number {
    if (from >= (this.missing.get(what) ?? Number.POSITIVE_INFINITY)) return -1;
    const at = this.find(this.text, what, from);
    if (at < 0) this.missing.set(what, from);
    return at;
  }

  /** Whether signs that began after `from` are still open at `to`. */
  isInside(from: number, to: number): boolean {
    this.signs ??= this.readSigns();
    return (countBelow(this.signs, to) - countBelow(this.signs, from)) % 2 === 1;
  }

  ofEnvironment(name: string, from: number): number {
    this.environments ??= this.readEnvironments();
    const ends = this.environments.get(name) ?? [];
    return ends[countBelow(ends, from)] ?? -1;
  }

  private readSigns(): number[] {
    const found: number[] = [];
    for (let at = this.next('$$', 0); at >= 0; at = this.next('$$', at + 2)) found.push(at);
    return found;
  }

  private readEnvironments(): Map<string, number[]> {
    const found = new Map<string, number[]>();
    for (let at = this.next('\\end{', 0); at >= 0; at = this.next('\\end{', at + 1)) {
      const name = /^[a-z]{1,40}\*?(?=\})/.exec(this.text.slice(at + 5, at + 47))?.[0];
      if (name === undefined) continue;
      const known = found.get(name);
      if (known) known.push(at);
      else found.set(name, [at]);
    }
    return found;
  }
}

/** Searches sorted numbers. */
function countBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Recognises `$a$`, `$$a$$`, `\(a\)`, `\[a\]` and LaTeX environments, as Jupyter does. */
export function mathRules(
  markdown: MarkdownIt,
  draw: Draw = drawnLater,
  find: Find = (text, what, from) => text.indexOf(what, from),
): void {
  const known = new WeakMap<object, Ends>();
  const endsOf = (state: { src: string }): Ends => {
    const ends = known.get(state) ?? new Ends(state.src, find);
    known.set(state, ends);
    return ends;
  };
  markdown.inline.ruler.before('escape', 'math', (state, isSilent) => {
    const found = formulaAt(state.src, state.pos, endsOf(state)) ?? referenceAt(state.src, state.pos);
    if (!found || found.end > state.posMax) return false;
    if (!isSilent) {
      const token = state.push('html_inline', '', 0);
      token.content = draw(found.tex.trim(), found.isBlock, true);
    }
    state.pos = found.end;
    return true;
  });
  // Comes before underlined headings, whose rule looks to the end of each paragraph, so that formulas in it do not repeat
  // that.
  markdown.block.ruler.before(
    'lheading',
    'math_block',
    (state, startLine, endLine, isSilent) => {
      const begin = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
      const { src } = state;
      const isSigns = src.startsWith('$$', begin);
      const environment = /^\\begin\{([a-z]{1,40}\*?)\}/.exec(src.slice(begin, begin + 50))?.[1];
      if (!environment && !isSigns) return false;
      const ends = endsOf(state);
      // Within a paragraph, signs may end a formula that began in the middle of a line.
      if (isSilent && isSigns && ends.isInside(state.bMarks[state.line] ?? 0, begin)) return false;
      const at = environment ? ends.ofEnvironment(environment, begin) : ends.next('$$', begin + 2);
      const end = at + (environment ? `\\end{${environment}}`.length : 2);
      const last = state.eMarks[endLine - 1] ?? src.length;
      if (at < 0 || end > last) return false;
      const whole = src.slice(begin, end);
      const lines = whole.split('\n').length;
      const rest = restOfLine(src, end);
      // Text after the formula on the same line makes it a part of a sentence.
      if (rest.trim() !== '') {
        if (lines === 1 || isSilent) return false;
        // The end of this formula is not the beginning of another one.
        state.push('paragraph_open', 'p', 1).map = [startLine, startLine + lines];
        const sentence = state.push('inline', '', 0);
        sentence.content = whole + rest;
        sentence.map = [startLine, startLine + lines];
        sentence.children = [];
        state.push('paragraph_close', 'p', -1);
      } else {
        if (isSilent) return true;
        const token = state.push('html_block', '', 0);
        token.content = draw((environment ? whole : whole.slice(2, -2)).trim(), true, false);
        token.meta = { isFormula: true };
      }
      state.line = startLine + lines;
      return true;
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  );
  // MathJax draws formulas in HTML, too.
  markdown.core.ruler.push('math_in_html', (state) => {
    for (const token of state.tokens)
      if (token.type === 'html_block' && !token.meta?.isFormula)
        token.content = withFormulas(token.content, new Ends(token.content, find), draw);
  });
}

/** Formulas in these elements are not drawn. */
const opaque = /^<(pre|code|script|style|textarea|svg)(?![a-z])/;

/** Draws the formulas between the tags of HTML. */
function withFormulas(html: string, ends: Ends, draw: Draw): string {
  if (!/[$\\]/.test(html)) return html;
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < html.length; ) {
    const next = html[at];
    if (next === '<' && /^[a-z/!]/i.test(html[at + 1] ?? '')) {
      const tag = opaque.exec(html.slice(at, at + 10).toLowerCase())?.[1];
      const end = html.startsWith('<!--', at) ? '-->' : tag ? `</${tag}` : '>';
      const close = ends.next(end, at + 1);
      if (close < 0) break;
      at = close + end.length;
      continue;
    }
    const found = next === '$' || next === '\\' ? (formulaAt(html, at, ends) ?? referenceAt(html, at)) : null;
    const tex = found && !/<[a-z/!]/i.test(found.tex) ? found.tex : null;
    if (found && tex !== null) {
      parts.push(html.slice(from, at), draw(decodedText(tex).trim(), found.isBlock, true));
      from = found.end;
    }
    at = found && tex !== null ? found.end : at + 1;
  }
  parts.push(html.slice(from));
  return parts.join('');
}

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"', '&nbsp;': ' ' };
const decodedText = (text: string): string =>
  text.replace(/&(?:lt|gt|amp|quot|nbsp);/g, (entity) => entities[entity] ?? entity);

/** Recognises `\ref{a}` and `\eqref{a}` in a text without signs. */
function referenceAt(text: string, from: number): Found | null {
  if (text[from] !== '\\') return null;
  const whole = /^\\(?:eq)?ref\{[^{}\n]{1,100}\}/.exec(text.slice(from, from + 110))?.[0];
  return whole === undefined ? null : { tex: whole, end: from + whole.length, isBlock: false };
}

const restOfLine = (text: string, from: number): string => {
  const end = text.indexOf('\n', from);
  return text.slice(from, end < 0 ? undefined : end);
};

function formulaAt(text: string, from: number, ends: Ends): Found | null {
  if (text[from] === '$') return text[from + 1] === '$' ? signs(text, from, ends) : sign(text, from, ends);
  if (text[from] !== '\\') return null;
  // Markdown removes one backslash, so people write one or two.
  const at = text[from + 1] === '\\' ? from + 2 : from + 1;
  const isBlock = text[at] === '[';
  if (!isBlock && text[at] !== '(') return null;
  const close = ends.next(isBlock ? '\\]' : '\\)', at + 2);
  if (close < 0) return null;
  const tex = text.slice(at + 1, text[close - 1] === '\\' && close - 1 > at + 1 ? close - 1 : close);
  return { tex, end: close + 2, isBlock };
}

function signs(text: string, from: number, ends: Ends): Found | null {
  const close = ends.next('$$', from + 3);
  return close < 0 ? null : { tex: text.slice(from + 2, close), end: close + 2, isBlock: true };
}

/** A price is not a formula: a formula has no space inside the signs and no digit after them. */
function sign(text: string, from: number, ends: Ends): Found | null {
  if (/\s/.test(text[from + 1] ?? ' ')) return null;
  let close = ends.next('$', from + 1);
  while (close >= 0 && isEscaped(text, close, from)) close = ends.next('$', close + 1);
  if (close < from + 2 || /\s/.test(text[close - 1] ?? '') || /\d/.test(text[close + 1] ?? '')) return null;
  return { tex: text.slice(from + 1, close), end: close + 1, isBlock: false };
}

function isEscaped(text: string, at: number, after: number): boolean {
  let slashes = 0;
  while (at - 1 - slashes > after && text[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}
