import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { mainFileName, type Template } from '@atoll/contract';
import { strategyTemplates } from '@atoll/trading/backtest/templates/index';
import { strategyText } from './main-files.ts';

/** What ships with the product to start from; each is an ordinary project once made. */
interface GalleryTemplate extends Template {
  files: Record<string, string>;
}

/** The files of a template are in the folder of its name, as a project would have them. */
function filesOf(name: string): Record<string, string> {
  const folder = join(import.meta.dirname, name);
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    found.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(folder, path).split(sep).join('/'), readFileSync(path, 'utf8')];
    }),
  );
}

/** Several are about the same shop. */
const sales = { 'data/sales.csv': readFileSync(join(import.meta.dirname, 'sales.csv'), 'utf8') };

const described: (Omit<Template, 'kind' | 'language'> &
  Partial<Pick<Template, 'kind'>> & { data?: Record<string, string> })[] = [
  {
    name: 'explore-csv',
    title: 'Explore a table',
    description: 'Load a CSV file, browse it, summarise it and plot the trend.',
    tags: ['data', 'getting started'],
    data: sales,
  },
  {
    name: 'charts',
    title: 'Charts',
    description: 'Lines, densities, histograms and a surface, with Vega-Lite, Matplotlib and Plotly.',
    tags: ['charts'],
  },
  {
    name: 'inputs',
    title: 'Inputs that drive a chart',
    description: 'Sliders and fields set variables; dependent cells run again.',
    tags: ['inputs', 'charts'],
  },
  {
    name: 'sql',
    title: 'SQL over a file',
    description: 'Query a CSV file with SQL, use the result in Python, and query it again.',
    tags: ['sql', 'data'],
    data: sales,
  },
  {
    name: 'forecast',
    title: 'A simple forecast',
    description: 'Decompose a monthly series into trend and season, and forecast the next months.',
    tags: ['forecast', 'charts'],
    data: sales,
  },
  {
    name: 'vlsm',
    title: 'Subnet planner',
    description: 'Divide a network into subnets of different sizes.',
    tags: ['network', 'planning'],
  },
  {
    name: 'report',
    title: 'Written report',
    description: 'A notebook laid out as a report: question, data, findings, recommendation.',
    tags: ['report'],
  },
  {
    name: 'canvas-analysis',
    kind: 'canvas',
    title: 'An analysis on a canvas',
    description: 'From question to answer on one board: data, charts, notes and the arrows between them.',
    tags: ['canvas', 'data'],
    data: sales,
  },
  {
    name: 'canvas-dashboard',
    kind: 'canvas',
    title: 'A live dashboard',
    description: 'Inputs on top, figures and charts below; change an input and all of it runs again.',
    tags: ['canvas', 'dashboard', 'inputs'],
    data: sales,
  },
  {
    name: 'canvas-workshop',
    kind: 'canvas',
    title: 'A workshop board',
    description: 'Frames for a team session: agenda, ideas on sticky notes, votes counted by a cell, next steps.',
    tags: ['canvas', 'workshop'],
  },
];

const strategies: GalleryTemplate[] = (['typescript', 'python'] as const).flatMap((language) =>
  strategyTemplates.map(({ id, name, description, interval, assets, code, python }): GalleryTemplate => {
    const isPython = language === 'python';
    const path = isPython ? 'strategy.py' : 'strategy.ts';
    const settings = { timeframe: interval, symbols: assets.map((asset) => `${asset}/USDT`) };
    return {
      name: `strategy-${id.replaceAll('_', '-')}${isPython ? '-python' : ''}`,
      title: isPython ? `${name} in Python` : name,
      ...{ description, kind: 'strategy', language },
      tags: isPython ? ['strategy', 'python'] : ['strategy'],
      files: { [mainFileName.strategy]: strategyText(settings, path), [path]: isPython ? python : code },
    };
  }),
);

export const gallery: GalleryTemplate[] = [
  ...described.map(
    ({ data, ...template }): GalleryTemplate => ({
      kind: 'notebook',
      ...template,
      language: 'python',
      files: { ...filesOf(template.name), ...data },
    }),
  ),
  ...strategies,
];

export const findTemplate = (name: string): GalleryTemplate | undefined =>
  gallery.find((template) => template.name === name);
