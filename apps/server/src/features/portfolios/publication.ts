import { eq } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { escaped } from '../../platform/http/escape.ts';
import type { PublicationKind } from '../../platform/publication-kind.ts';
import { files } from '../files/table.ts';
import { isReport, type PortfolioReport, readReport } from './service/report.ts';

/** A portfolio is published as an article to be read: nothing in it can be run or traded. */
export const portfolioPublication: PublicationKind<Context> = {
  contentKind: 'pasas',
  types: ['article', 'report'],
  takes: ({ path }) => isReport(path),
  async newest({ db }, { id }) {
    const [file] = await db.select().from(files).where(eq(files.id, id));
    if (!file) throw notFound('This file');
    return { blob: file.blob, fileVersionId: file.versionId };
  },
  render: async (ctx, blob) => ({ html: articleOf(await readReport(ctx, blob)), toc: [] }),
  liveOutputs: async () => [],
  picture: async () => null,
};

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function articleOf({ at, environment, trade_asset, shares, figures, growth }: PortfolioReport): string {
  const day = at.slice(0, 10);
  const kind = environment === 'demo' ? 'on the demo, with prices and money that are made up' : `(${environment})`;
  const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`;
  const hasTargets = shares.some(({ target }) => target !== null);
  const rows = shares.map(({ asset, share, target }) =>
    hasTargets ? row(asset, percent(share), target === null ? '–' : percent(target)) : row(asset, percent(share)),
  );
  return [
    `<p>A portfolio ${escaped(kind)}, valued in ${escaped(trade_asset)}, as of ${escaped(day)} (UTC).</p>`,
    '<h2 id="returns">Returns</h2>',
    lineOf(growth.map((each) => each.growth)),
    `<table><tbody>${figures.map(({ name, words }) => row(name, words)).join('')}</tbody></table>`,
    '<h2 id="allocation">Allocation</h2>',
    `<table><thead><tr><th>Asset</th><th>Share</th>${hasTargets ? '<th>Target</th>' : ''}</tr></thead>`,
    `<tbody>${rows.join('')}</tbody></table>`,
  ].join('\n');
}

const [width, height] = [640, 180];

/** The growth of 1, day by day; of fewer than two days there is no line. */
function lineOf(values: readonly number[]): string {
  if (values.length < 2) return '';
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * width;
    const y = high > low ? height - ((value - low) / (high - low)) * height : height / 2;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const last = ((values.at(-1) ?? 1) - 1) * 100;
  const words = `Growth over ${values.length} days: ${last.toFixed(1)} percent`;
  return `<svg viewBox="0 -4 ${width} ${height + 8}" width="100%" role="img" aria-label="${words}"><polyline fill="none" stroke="currentColor" stroke-width="2" points="${points.join(' ')}"/></svg>`;
}
