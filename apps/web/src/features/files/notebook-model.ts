export interface NotebookCell {
  kind: 'markdown' | 'code' | 'raw';
  source: string;
  count: number | null;
  outputs: NotebookOutput[];
}

export type NotebookOutput =
  | { kind: 'text'; text: string; isError?: boolean }
  | { kind: 'image'; address: string }
  | { kind: 'html'; html: string };

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
/** The format allows a text to be a list of lines. */
const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.join('') : typeof value === 'string' ? value : '';
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours begin with one.
const plain = (text: string): string => text.replace(/\u001B\[[0-9;]*[A-Za-z]/g, '');

/** Reads a Jupyter notebook; null when the text is none. */
export function parseNotebook(text: string): NotebookCell[] | null {
  try {
    const notebook: unknown = JSON.parse(text);
    if (!isObject(notebook) || !Array.isArray(notebook.cells)) return null;
    return listOf(notebook.cells).map((cell) => ({
      kind: cell.cell_type === 'markdown' || cell.cell_type === 'raw' ? cell.cell_type : 'code',
      source: textOf(cell.source),
      count: typeof cell.execution_count === 'number' ? cell.execution_count : null,
      outputs: listOf(cell.outputs).flatMap(readOutput),
    }));
  } catch {
    return null;
  }
}

const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

function readOutput(output: Json): NotebookOutput[] {
  if (output.output_type === 'stream')
    return [{ kind: 'text', text: plain(textOf(output.text)), isError: output.name === 'stderr' }];
  if (output.output_type === 'error') {
    const trace = Array.isArray(output.traceback) ? output.traceback.join('\n') : `${output.ename}: ${output.evalue}`;
    return [{ kind: 'text', text: plain(trace), isError: true }];
  }
  const data = isObject(output.data) ? output.data : {};
  const picture = pictures.find((type) => data[type]);
  if (picture)
    return [{ kind: 'image', address: `data:${picture};base64,${textOf(data[picture]).replace(/\s/g, '')}` }];
  if (data['image/svg+xml']) {
    return [{ kind: 'image', address: `data:image/svg+xml,${encodeURIComponent(textOf(data['image/svg+xml']))}` }];
  }
  if (data['text/html']) return [{ kind: 'html', html: textOf(data['text/html']) }];
  const text = textOf(data['text/plain']);
  return text ? [{ kind: 'text', text: plain(text) }] : [];
}
