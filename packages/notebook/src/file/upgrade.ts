import { type Fields, isFields } from '../fields.ts';

/** Converts a notebook of format 1 to 3 to format 4; one of format 4 stays as it is. */
export function upgraded(file: Fields, problems: string[]): Fields {
  const { nbformat } = file;
  if (nbformat === 4) return file;
  if (typeof nbformat === 'number' && nbformat > 4) {
    problems.push(
      `It is of format ${nbformat}, which is newer than the one known here (4): some of it may be missing.`,
    );
    return file;
  }
  // Format 1 has its cells at the top, 2 and 3 have worksheets.
  const sheets = Array.isArray(file.worksheets) ? file.worksheets.filter(isFields) : null;
  if (!sheets && Array.isArray(file.cells) && nbformat === undefined) {
    problems.push('It does not say of which format it is; it is read as format 4.');
    return { ...file, nbformat: 4, nbformat_minor: 5 };
  }
  const cells = sheets ? sheets.flatMap((sheet) => (Array.isArray(sheet.cells) ? sheet.cells : [])) : file.cells;
  const { worksheets: _, ...rest } = file;
  return {
    ...rest,
    nbformat: 4,
    nbformat_minor: 5,
    metadata: upgradedMetadata(isFields(file.metadata) ? file.metadata : {}),
    ...(Array.isArray(cells) ? { cells: cells.map(upgradedCell) } : {}),
  };
}

function upgradedMetadata({ name, signature: _, ...metadata }: Fields): Fields {
  return typeof name === 'string' && name !== '' ? { ...metadata, title: metadata.title ?? name } : metadata;
}

function upgradedCell(value: unknown): unknown {
  if (!isFields(value)) return value;
  const metadata = isFields(value.metadata) ? value.metadata : {};
  if (value.cell_type === 'code') {
    const { input, prompt_number: count, language: _, collapsed, outputs, cell_type, metadata: __, ...rest } = value;
    return {
      ...rest,
      cell_type,
      metadata: typeof collapsed === 'boolean' ? { collapsed, ...metadata } : metadata,
      source: input ?? value.source ?? '',
      execution_count: typeof count === 'number' ? count : null,
      outputs: Array.isArray(outputs) ? outputs.map(upgradedOutput) : [],
    };
  }
  if (value.cell_type === 'heading') {
    const level = typeof value.level === 'number' ? Math.min(6, Math.max(1, value.level)) : 1;
    const text = Array.isArray(value.source) ? value.source.join('') : String(value.source ?? '');
    return { cell_type: 'markdown', metadata, source: `${'#'.repeat(level)} ${text.replaceAll('\n', ' ')}` };
  }
  // Of format 1.
  if (value.cell_type === 'text')
    return { ...value, cell_type: 'markdown', metadata, source: value.text ?? value.source };
  if (value.cell_type === 'html') return { ...value, cell_type: 'markdown', metadata };
  return { ...value, metadata };
}

const mimeTypes: Record<string, string> = {
  text: 'text/plain',
  html: 'text/html',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpeg: 'image/jpeg',
  latex: 'text/latex',
  json: 'application/json',
  javascript: 'application/javascript',
};

function upgradedOutput(value: unknown): unknown {
  if (!isFields(value)) return value;
  const { output_type: type } = value;
  if (type === 'stream') return { output_type: 'stream', name: value.stream ?? 'stdout', text: value.text ?? '' };
  if (type === 'pyerr') {
    return { output_type: 'error', ename: value.ename, evalue: value.evalue, traceback: value.traceback ?? [] };
  }
  if (type !== 'pyout' && type !== 'display_data') return value;
  const data = Object.fromEntries(
    Object.entries(mimeTypes).flatMap(([name, mimeType]) => (name in value ? [[mimeType, value[name]]] : [])),
  );
  const metadata = isFields(value.metadata) ? value.metadata : {};
  if (type === 'display_data') return { output_type: type, data, metadata };
  return { output_type: 'execute_result', data, metadata, execution_count: value.prompt_number ?? null };
}
