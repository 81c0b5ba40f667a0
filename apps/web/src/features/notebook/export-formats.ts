import type { CellOutput } from '@atoll/contract';

/** Formats in which the server exports a notebook. */
export const exportFormats = [
  { format: 'ipynb', label: 'Notebook (.ipynb)' },
  { format: 'py', label: 'Script (.py, .r, .jl …)' },
  { format: 'md', label: 'Markdown (.md)' },
  { format: 'html', label: 'Web page (.html)' },
  { format: 'pdf', label: 'PDF (.pdf)' },
] as const;

/** Formats that show the cells as they stand on the canvas. */
export const canvasFormats = [
  ...exportFormats,
  { format: 'slides', label: 'Slides, one page each (.pdf)' },
  { format: 'board', label: 'Canvas on one page (.pdf)' },
  { format: 'png', label: 'Canvas as a picture (.png)' },
  { format: 'svg', label: 'Canvas as a drawing (.svg)' },
] as const;

const outputFormats = [
  { format: 'csv', label: 'Table (.csv)', type: 'application/vnd.atoll.dataframe+json' },
  { format: 'xlsx', label: 'Workbook (.xlsx)', type: 'application/vnd.atoll.dataframe+json' },
  { format: 'png', label: 'Picture (.png)', type: 'image/png' },
  { format: 'svg', label: 'Drawing (.svg)', type: 'image/svg+xml' },
  { format: 'json', label: 'Data (.json)', type: null },
] as const;

/** Formats in which the server exports these outputs. */
export const formatsOf = (outputs: readonly CellOutput[]) =>
  outputs.length === 0
    ? []
    : outputFormats.filter(
        ({ type }) => type === null || outputs.some((output) => 'data' in output && type in output.data),
      );
