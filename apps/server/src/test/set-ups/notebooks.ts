/** Cells as the file of a notebook has them. */
export const code = (source: string, id: string, outputs: object[] = [], metadata: Record<string, unknown> = {}) => ({
  cell_type: 'code',
  execution_count: null,
  id,
  metadata,
  outputs,
  source,
});
export const text = (source: string, id: string) => ({ cell_type: 'markdown', id, metadata: {}, source });
/** Named c0, c1 and so on. */
export const codes = (sources: string[]) => sources.map((source, index) => code(source, `c${index}`));
export const shows = (...data: object[]) =>
  data.map((each) => ({ output_type: 'display_data', metadata: {}, data: each }));

export const notebookWith = (metadata: object, ...cells: object[]) =>
  JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 });
export const notebook = (...cells: object[]) => notebookWith({}, ...cells);
