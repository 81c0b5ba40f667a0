import 'katex/dist/katex.min.css';
import katex from 'katex';

/** A formula that cannot be read says so in its place. */
export function drawFormula(element: HTMLElement): void {
  const { tex, block } = element.dataset;
  if (tex === undefined) return;
  katex.render(tex, element, {
    displayMode: block !== undefined,
    throwOnError: false,
    trust: false,
    maxExpand: 1_000,
    maxSize: 50,
    strict: false,
  });
}
