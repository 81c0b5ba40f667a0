import katex from 'katex';
import 'katex/contrib/mhchem';
import { anchorId } from './anchors.ts';
import { escaped } from './escaped.ts';
import type { Draw } from './math-rules.ts';
import { moreMacros, Numbering, plainTex, referenceIn, withoutLabels, withReferences } from './tex.ts';

/** What is longer can be wider than a small screen, and is then scrolled with the keyboard; each short one would be a stop more. */
const longestNarrow = 30;
/** A formula that is longer is a text. */
const longest = 4_000;
/** Few formulas need any; each may put in as much as a formula is long. */
const mostExpansions = 200;
/** All formulas of a page together: what is drawn can be a thousand times as long as what was written. */
const mostDrawn = 4 * 1024 ** 2;

interface Formula {
  tex: string;
  numbered: string | null;
  labels: string[];
  isBlock: boolean;
  isInText: boolean;
}

/**
 * The formulas of one page. A place is kept for each, under a random mark, and all are drawn when all are known: a formula can
 * refer to one that comes later. They are MathML, which browsers draw without style sheets and fonts.
 */
export class PageFormulas {
  readonly #mark = crypto.randomUUID();
  readonly #formulas: Formula[] = [];
  readonly #numbering = new Numbering();
  /** Commands that one formula defines are known to those after it. */
  readonly #macros: Record<string, string> = { ...moreMacros };
  #longestDefinition = 0;
  #left = mostDrawn;

  readonly keep: Draw = (written, isBlock, isInText) => {
    const tex = written.length > longest ? written : plainTex(written);
    const { tex: numbered, labels } =
      isBlock && tex.length <= longest ? this.#numbering.number(tex) : { tex: null, labels: [] };
    const index = this.#formulas.push({ tex, numbered, labels, isBlock, isInText }) - 1;
    return `<span data-formula="${this.#mark}-${index}"></span>`;
  };

  /** Puts them in; nothing that people write can pass as one. */
  drawIn(html: string): string {
    const drawn = this.#formulas.map((formula) => this.#draw(formula));
    return html.replace(/<span data-formula="([0-9a-f-]{36})-(\d+)"><\/span>/g, (whole, mark: string, index: string) =>
      mark === this.#mark ? (drawn[Number(index)] ?? '') : whole,
    );
  }

  #draw(formula: Formula): string {
    const { tex, labels, isBlock, isInText } = formula;
    const reference = referenceIn(tex);
    if (reference) return this.#link(reference);
    const ids = labels.map((label) => `<a id="${escaped(anchorId(label))}"></a>`).join('');
    const shown = this.#math(formula) ?? asWritten(tex, isBlock && !isInText, this.#problem);
    const focus = tex.length > longestNarrow ? ' tabindex="0"' : '';
    return isInText ? ids + shown : `<div class="formula"${focus}>${ids}${shown}</div>`;
  }

  #problem = '';

  #math({ tex, numbered, isBlock }: Formula): string | null {
    this.#problem = 'it is too long';
    if (tex.length > longest || this.#left <= 0) return null;
    if (/\\(?:[egx]?def|(?:re)?newcommand|providecommand|let)(?![A-Za-z])/.test(tex))
      this.#longestDefinition = Math.max(this.#longestDefinition, tex.length);
    const { labels } = this.#numbering;
    const plain = withReferences(withoutLabels(tex), labels);
    const best = numbered === null ? plain : withReferences(numbered, labels);
    const drawn = this.#katex(best, isBlock) ?? (best === plain ? null : this.#katex(plain, isBlock));
    return drawn;
  }

  #katex(tex: string, isBlock: boolean): string | null {
    let drawn: string | null = null;
    try {
      drawn = katex.renderToString(tex, {
        output: 'mathml',
        displayMode: isBlock,
        throwOnError: true,
        trust: false,
        maxExpand: mostExpansions,
        maxSize: 50,
        strict: false,
        globalGroup: true,
        macros: this.#macros,
      });
    } catch (error) {
      // Not only what KaTeX says: brackets within brackets are too deep for the stack.
      this.#problem = error instanceof katex.ParseError ? error.rawMessage : 'it is too deep';
    }
    // One that fails may have failed at its end.
    this.#left -= drawn?.length ?? mostExpansions * Math.min(Math.max(tex.length, this.#longestDefinition), longest);
    return drawn;
  }

  #link({ isEquation, label }: { isEquation: boolean; label: string }): string {
    const number = this.#numbering.labels.get(label);
    const text = escaped(isEquation ? `(${number ?? '???'})` : (number ?? '???'));
    return number === undefined ? text : `<a href="#${escaped(anchorId(label))}" target="_self">${text}</a>`;
  }
}

/** What cannot be drawn stands there as it was written, and says so. */
function asWritten(tex: string, isAlone: boolean, problem: string): string {
  const note = `Shown as it was written: ${problem}.`;
  const code = `<code class="tex" title="${escaped(note)}">${escaped(tex)}</code>`;
  return isAlone ? `${code}<p class="note">${escaped(note)}</p>` : code;
}
