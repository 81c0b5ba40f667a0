import type { CellShown, DocumentCell } from '@atoll/contract';
import { isCollapsed } from './model.ts';

const line = 20.8;
const linesOf = (text: string): number => {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
};

/** Estimates the height of a cell, so that the page has about its final length before most cells are drawn. */
export function estimatedHeight(cell: DocumentCell, shown: CellShown): number {
  const lines = linesOf(cell.source);
  const source = isCollapsed(cell, 'source') ? 30 : cell.type === 'input' ? 72 : lines * line + 18;
  if (cell.type === 'markdown') return 18 + Math.max(28, lines * 24 + cell.source.length / 8);
  if (shown.outputs.length === 0) return source + 18;
  if (isCollapsed(cell, 'outputs')) return source + 54;
  let outputs = 0;
  for (const output of shown.outputs.slice(0, 10)) {
    if (output.output_type === 'stream') outputs += Math.min(36, linesOf(output.text)) * 20;
    else if (output.output_type === 'error') outputs += Math.min(36, output.traceback.length + 6) * 20;
    else if (Object.keys(output.data).some((type) => /image|plotly|vega/.test(type))) outputs += 360;
    else if ('text/html' in output.data) outputs += 200;
    else outputs += 24;
  }
  return source + 46 + Math.min(outputs, 2_000);
}
