import { mainFileName, type TemplateDetail } from '@atoll/contract';
import { readNotebook } from '@atoll/notebook';
import { notFound } from '../../../platform/errors.ts';
import { findTemplate } from './gallery.ts';

const mostCells = 12;

export function templateDetail(name: string): TemplateDetail {
  const template = findTemplate(name);
  if (!template) throw notFound('This template');
  const { files, ...about } = template;
  return {
    ...about,
    files: Object.entries(files).map(([path, content]) => ({ path, size: Buffer.byteLength(content) })),
    cells: cellsOf(files, files[mainFileName[template.kind]] ?? ''),
  };
}

function cellsOf(files: Record<string, string>, main: string): TemplateDetail['cells'] {
  const code = Object.keys(files).find((path) => /^strategy\.(ts|py)$/.test(path));
  if (code) return [{ type: 'code', source: files[code] ?? '' }];
  return readNotebook(main)
    .cells.filter(({ source }) => source.trim() !== '')
    .slice(0, mostCells)
    .map(({ type, source }) => ({ type: type === 'markdown' ? 'markdown' : 'code', source }));
}
