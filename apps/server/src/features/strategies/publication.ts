import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { type BacktestResult, type Figure, uploadLimits } from '@atoll/contract';
import type { Context } from '../../platform/context.ts';
import { escaped } from '../../platform/http/escape.ts';
import type { PublicationKind } from '../../platform/publication-kind.ts';
import { growthOf, newestSnapshot, readSnapshot, type Snapshot, windowOf } from './service/snapshot.ts';

/** A strategy is published with one backtest: what it made, how far that can be trusted, and its code if the author wants. */
export const strategyPublication: PublicationKind<Context> = {
  contentKind: 'strategies',
  types: ['article'],
  takes: ({ path }) => /\.strat$/i.test(path),
  async newest(ctx, { id }) {
    const { blob, testId } = await newestSnapshot(ctx, id);
    return { blob, fileVersionId: testId };
  },
  async render(ctx, blob, { shows_code }) {
    const snapshot = await readSnapshot(ctx, blob);
    const toc = sections.map(([anchor, text]) => ({ level: 2, text, anchor }));
    return { html: articleOf(snapshot, shows_code), toc: shows_code ? [...toc, codeSection] : toc };
  },
  async copy(ctx, blob, path) {
    const { codePath, code, parameters, settings } = await readSnapshot(ctx, blob);
    const store = async (path: string, text: string) => {
      const { sha256, size } = await ctx.blobs.put(Readable.from([Buffer.from(text)]), uploadLimits.file);
      return { path, content: { blob: sha256, size } };
    };
    const beside = posix.relative(posix.dirname(path), codePath);
    const document = JSON.stringify({ format: 1, kind: 'strategy', code: beside, parameters, settings }, null, 2);
    return [await store(path, `${document}\n`), await store(codePath, code)];
  },
  liveOutputs: async () => [],
  picture: async () => null,
};

const sections = [
  ['result', 'What it made'],
  ['trust', 'Can it be trusted?'],
  ['months', 'Return by month'],
  ['settings', 'How it was tested'],
] as const;
const codeSection = { level: 2, text: 'Code', anchor: 'code' };

const checkWords = { passed: 'tested', failed: 'failed', skipped: 'not tested' } as const;
const percent = (value: number) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value * 100).toFixed(2)} %`;
const share = (value: number) => `${(value * 100).toFixed(2)} %`;
const plain = (value: number) => value.toFixed(2).replace('-', '−');
const words = (figure: Figure | undefined, of = percent) =>
  figure?.value === null || figure === undefined ? `n/a (${figure?.reason ?? 'not known'})` : of(figure.value);
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`;
const heading = ([anchor, text]: readonly [string, string]) => `<h2 id="${anchor}">${escaped(text)}</h2>`;

function articleOf(snapshot: Snapshot, showsCode: boolean): string {
  const { result, settings, parameters, code, number } = snapshot;
  const { summary, checks, monthly, fingerprint, series } = result;
  const figures = summary?.figures;
  const growth = growthOf(snapshot);
  const error = figures?.sharpe_error?.value;
  const sharpe = words(figures?.sharpe, plain) + (typeof error === 'number' ? ` ± ${error.toFixed(2)}` : '');
  const [made, trust, months, tested] = sections;
  const source = settings.source.type === 'file' ? `the file ${settings.source.path}` : settings.source.exchange;
  const parts = [
    '<p>These are results of a backtest on past prices, not of trading. Past results say little about the future.</p>',
    heading(made),
    lines(series),
    '<table><tbody>',
    row('Return', words(figures?.total_return)),
    row('Return in sample', result.in_sample ? words(result.in_sample.figures.total_return) : notApart),
    row('Return out of sample', result.out_of_sample ? words(result.out_of_sample.figures.total_return) : notApart),
    row('Walk-forward', snapshot.found?.walkForward ?? 'None was made of this code and these markets.'),
    row('Parameter sets tried', snapshot.found ? String(snapshot.found.tries) : 'n/a (not known)'),
    row('Buy and hold', words(figures?.benchmark)),
    row('Last day, 7 days, 30 days of the test', [1, 7, 30].map((days) => words(windowOf(growth, days))).join(', ')),
    row('Sharpe', sharpe),
    row('Deflated Sharpe', words(figures?.deflated_sharpe, share)),
    row('Max drawdown', words(figures?.max_drawdown)),
    row('Win rate', words(figures?.win_rate, share)),
    row('Trades', String(summary?.closed_trades ?? 0)),
    row('Fees paid', plain(summary?.fees ?? 0)),
    '</tbody></table>',
    heading(trust),
    `<p>Look-ahead ${checkWords[checks.look_ahead.state]}: ${escaped(checks.look_ahead.message)}. Warm-up ${checkWords[checks.warm_up.state]}: ${escaped(checks.warm_up.message)}. In ${result.ambiguous_bars} bars it is not known what came first.</p>`,
    fingerprint ? `<p>Fingerprint: <code>${escaped(fingerprint.result)}</code></p>` : '',
    heading(months),
    `<table><tbody>${monthly.map(({ month, value }) => row(month, percent(value))).join('')}</tbody></table>`,
    heading(tested),
    '<table><tbody>',
    row('Markets', settings.symbols.join(', ')),
    row('Bars', `${settings.timeframe} of ${source}, backtest ${number}`),
    row('Time', summary ? `${dayOf(summary.from)} to ${dayOf(summary.to)}` : ''),
    row('Slippage', share(settings.slippage)),
    ...Object.entries(parameters).map(([name, value]) => row(name, String(value))),
    '</tbody></table>',
    showsCode
      ? `<h2 id="code">Code</h2><pre tabindex="0" role="region" aria-label="Code"><code>${escaped(code)}</code></pre>`
      : '',
  ];
  return parts.join('\n');
}

const notApart = 'n/a (no part of the time was set apart)';
const [width, height] = [640, 220];

/** The strategy and buy-and-hold, from the same beginning. */
function lines({ equity, benchmark }: BacktestResult['series']): string {
  if (equity.length < 2) return '';
  const grown = [equity, benchmark].map((values) => values.map((value) => value / (values[0] || 1)));
  const all = grown.flat();
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const line = (values: number[], style: string) => {
    const points = values.map((value, index) => {
      const x = (index / (values.length - 1)) * width;
      const y = high > low ? height - ((value - low) / (high - low)) * height : height / 2;
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    });
    return `<polyline fill="none" stroke="currentColor" ${style} points="${points.join(' ')}"/>`;
  };
  const [own = [], held = []] = grown;
  const label = `Equity of the backtest: ${percent((own.at(-1) ?? 1) - 1)}, buy and hold ${percent((held.at(-1) ?? 1) - 1)}`;
  return `<svg viewBox="0 -4 ${width} ${height + 8}" width="100%" role="img" aria-label="${label}">${line(held, 'stroke-width="1" opacity="0.5"')}${line(own, 'stroke-width="2"')}</svg>`;
}
