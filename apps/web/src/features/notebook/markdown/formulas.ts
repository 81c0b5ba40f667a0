import 'katex/dist/katex.min.css';
import { moreMacros, plainTex, withoutLabels, withReferences } from '@atoll/notebook/tex';
import katex from 'katex';

/** Numbers are given when a notebook is published; until then a formula is called by its label. */
const labels = { get: (label: string) => label };

/** A formula that cannot be read says so in its place. */
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
