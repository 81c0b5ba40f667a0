import 'katex/dist/katex.min.css';
import { moreMacros, plainTex, withoutLabels, withReferences } from '@atoll/notebook/tex';
import katex from 'katex';

/** Publishing numbers the formulas; until then a reference shows the label of its formula. */
const labels = { get: (label: string) => label };

/** Draws a formula; an invalid one shows its error in its place. */
export function drawFormula(element: HTMLElement): void {
  const { tex, block } = element.dataset;
  if (tex === undefined) return;
  katex.render(withReferences(withoutLabels(plainTex(tex)), labels), element, {
    displayMode: block !== undefined,
    throwOnError: false,
    trust: false,
    maxExpand: 1_000,
    maxSize: 50,
    strict: false,
    macros: { ...moreMacros },
  });
}
