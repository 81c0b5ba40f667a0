import katex from 'katex';
import 'katex/contrib/mhchem';
import { anchorId } from './anchors.ts';
import { escaped } from './escaped.ts';
import type { Draw } from './math-rules.ts';
import { moreMacros, Numbering, plainTex, referenceIn, withoutLabels, withReferences } from './tex.ts';

/**
 * A longer formula can be wider than a small screen, so it gets the focus for scrolling; short ones would only add tab
 * stops.
 */
const longestNarrow = 30;
/** A longer formula is shown as text. */
const longest = 4_000;
/** Most formulas need no expansion; each may insert as much as the formula is long. */
const mostExpansions = 200;
/** The limit for all formulas of a page together, because the drawn form can be a thousand times as long as the source. */
const mostDrawn = 4 * 1024 ** 2;

interface Formula {
  tex: string;
  numbered: string | null;
  labels: string[];
  isBlock: boolean;
  isInText: boolean;
}

/**
 * The formulas of one page. Each gets a placeholder with a random mark, and all are drawn when all are known, because a
 * formula can refer to a later one. They are MathML, which browsers draw without style sheets and fonts.
 */
export class PageFormulas {
  readonly #mark = crypto.randomUUID();
  readonly #formulas: Formula[] = [];
  readonly #numbering = new Numbering();
  /** Commands that one formula defines are available in later ones. */
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

  /** Replaces the placeholders; text that people write cannot imitate one. */
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
      // Besides errors of KaTeX, deeply nested brackets overflow the stack.
      this.#problem = error instanceof katex.ParseError ? error.rawMessage : 'it is too deep';
    }
    // A failing formula may have failed at its end, so its cost is counted, too.
    this.#left -= drawn?.length ?? mostExpansions * Math.min(Math.max(tex.length, this.#longestDefinition), longest);
    return drawn;
  }

  #link({ isEquation, label }: { isEquation: boolean; label: string }): string {
    const number = this.#numbering.labels.get(label);
    const text = escaped(isEquation ? `(${number ?? '???'})` : (number ?? '???'));
    return number === undefined ? text : `<a href="#${escaped(anchorId(label))}" target="_self">${text}</a>`;
  }
}

/** Shows an invalid formula as its source, with the reason. */
function asWritten(tex: string, isAlone: boolean, problem: string): string {
  const note = `Shown as it was written: ${problem}.`;
  const code = `<code class="tex" title="${escaped(note)}">${escaped(tex)}</code>`;
  return isAlone ? `${code}<p class="note">${escaped(note)}</p>` : code;
}
