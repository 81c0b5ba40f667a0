import { mainFileName, type ProjectKind } from '@atoll/contract';
import { movingAverageCross } from '@atoll/trading/backtest/templates/moving-average-cross';

/** What a project of each kind begins with, by path. */
export const firstFiles = (kind: ProjectKind, language: string): Record<string, string> => ({
  [mainFileName[kind]]: mainFileContent(kind, language),
  ...(kind === 'strategy' ? { 'strategy.ts': movingAverageCross } : {}),
});

/** What the main file of each kind begins with. */
function mainFileContent(kind: ProjectKind, language: string): string {
  if (kind === 'canvas') return notebook([], language);
  if (kind === 'notebook') return notebook([{ type: 'code', source: '' }], language);
  if (kind === 'strategy') return strategyText();
  return textOf(kind, beginnings[kind]);
}

const textOf = (kind: ProjectKind, fields: object) => `${JSON.stringify({ format: 1, kind, ...fields }, null, 2)}\n`;

/** Its code is a file beside it. */
export const strategyText = (settings: object = {}, code = 'strategy.ts'): string =>
  textOf('strategy', { code, parameters: {}, settings });

const beginnings: Record<Exclude<ProjectKind, 'notebook' | 'canvas' | 'strategy'>, object> = {
  pipeline: { steps: [], links: [] },
  pasa: { parameters: [], cells: [] },
  agent: { instructions: '', tools: [] },
  chat: { messages: [] },
  ai: { messages: [], files: [] },
  bi: { questions: [], dashboard: [] },
};

export interface Cell {
  type: 'markdown' | 'code';
  source: string;
}

/** A Jupyter notebook, nbformat 4.5. */
export function notebook(cells: Cell[], language = 'python'): string {
  const document = {
    cells: cells.map(({ type, source }, index) => ({
      cell_type: type,
      id: `cell-${index + 1}`,
      metadata: {},
      source: source.split(/(?<=\n)/),
      ...(type === 'code' ? { execution_count: null, outputs: [] } : {}),
    })),
    metadata: { language_info: { name: language } },
    nbformat: 4,
    nbformat_minor: 5,
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}
