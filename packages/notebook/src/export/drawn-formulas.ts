import katex from 'katex';
import { escaped } from './escaped.ts';
import type { Draw } from './math-rules.ts';

/** A formula that is longer is a text. */
const longest = 4_000;
/** Few formulas need any; each may put in as much as a formula is long. */
const mostExpansions = 200;
/** All formulas of a page together: what is drawn can be a thousand times as long as what was written. */
const mostDrawn = 4 * 1024 ** 2;

/** As MathML, which browsers draw without style sheets and fonts. What is broken or too much stands there as it was written. */
export function formulaDrawing(): Draw {
  let left = mostDrawn;
  return (tex, isBlock, isInText) => {
    const drawn = tex.length > longest || left <= 0 ? null : mathOf(tex, isBlock);
    // One that fails may have failed at its end.
    left -= drawn?.length ?? mostExpansions * Math.min(tex.length, longest);
    const shown = drawn ?? `<code>${escaped(tex)}</code>`;
    return isInText ? shown : `<div class="formula">${shown}</div>`;
  };
}

function mathOf(tex: string, isBlock: boolean): string | null {
  try {
    return katex.renderToString(tex, {
      output: 'mathml',
      displayMode: isBlock,
      throwOnError: true,
      trust: false,
      maxExpand: mostExpansions,
      maxSize: 50,
      strict: false,
    });
  } catch {
    // Not only what KaTeX says: brackets within brackets are too deep for the stack.
    return null;
  }
}
