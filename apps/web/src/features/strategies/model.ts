import type {
  Figure,
  FigureName,
  ParameterValues,
  StrategyDocument,
  StrategyParameter,
  StrategyTestView,
  SweepPoint,
  TestPlan,
  TestSettings,
} from '@atoll/contract/strategies/entity';
import { mostSweepPoints, type StrategySort, strategySorts } from '@atoll/contract/strategies/values';
import type { Environment } from '@atoll/contract/trading/values';

const percent = (value: number, digits = 2) =>
  `${value === 0 ? '' : value > 0 ? '+' : '−'}${Math.abs(value * 100).toFixed(digits)} %`;
const share = (value: number) => `${(value * 100).toFixed(1)} %`;
const plain = (value: number) => value.toFixed(2).replace('-', '−');
const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
export const moneyWords = (value: number): string => money.format(value).replace('-', '−');
export const percentWords = percent;

interface FigureWords {
  name: FigureName;
  term: string;
  words(value: number): string;
  hasDirection?: boolean;
  help: string;
}

/** In the order in which they are read. */
export const figureList: FigureWords[] = [
  { name: 'total_return', term: 'Return', words: percent, hasDirection: true, help: 'Deposits taken out' },
  {
    name: 'benchmark',
    term: 'Buy and hold',
    words: percent,
    hasDirection: true,
    help: 'The same markets, bought at the start',
  },
  { name: 'cagr', term: 'Return a year', words: percent, hasDirection: true, help: 'Compound, by calendar days' },
  { name: 'sharpe', term: 'Sharpe', words: plain, help: 'Of daily returns, a year has 365 days' },
  {
    name: 'deflated_sharpe',
    term: 'Deflated Sharpe',
    words: share,
    help: 'Chance that the true ratio is above zero, given how many were tried',
  },
  { name: 'sortino', term: 'Sortino', words: plain, help: 'Only losses count as risk' },
  { name: 'max_drawdown', term: 'Max drawdown', words: percent, help: 'By the end of each day' },
  { name: 'max_drawdown_by_bar', term: 'Max drawdown by bar', words: percent, help: 'By the close of each bar' },
  { name: 'calmar', term: 'Calmar', words: plain, help: 'Return a year by max drawdown' },
  { name: 'volatility', term: 'Volatility', words: share, help: 'Of daily returns, a year' },
  { name: 'win_rate', term: 'Win rate', words: share, help: 'Of closed trades, net of fees' },
  { name: 'profit_factor', term: 'Profit factor', words: plain, help: 'Gains by losses' },
  { name: 'expectancy', term: 'Expectancy', words: moneyWords, help: 'Mean result of a trade' },
  { name: 'payoff', term: 'Payoff', words: plain, help: 'Mean win by mean loss' },
  { name: 'exposure', term: 'Exposure', words: share, help: 'Mean share of the equity that was invested' },
  { name: 'time_in_market', term: 'Time in market', words: share, help: 'Share of bars with a position' },
  { name: 'turnover', term: 'Turnover a day', words: share, help: 'Traded value by equity' },
];

export const figureWords = (figure: Figure | undefined, words: (value: number) => string): string =>
  figure?.value === null || figure === undefined ? 'n/a' : words(figure.value);

export const usualSettings: TestSettings = {
  source: { type: 'exchange', exchange: 'demo' },
  symbols: ['BTC/USDT'],
  timeframe: '1h',
  from: null,
  to: null,
  out_of_sample_from: null,
  capital: 10_000,
  maker_fee: null,
  taker_fee: null,
  slippage: 0.0005,
  uses_finer_bars: true,
  deposits: [],
  seed: 1,
};

/** What the file says, as far as it can be read: the server checks all of it. */
export function readDocument(text: string): Pick<StrategyDocument, 'parameters' | 'settings'> {
  try {
    const value = JSON.parse(text) as Partial<StrategyDocument>;
    return { parameters: value.parameters ?? {}, settings: { ...usualSettings, ...value.settings } };
  } catch {
    return { parameters: {}, settings: usualSettings };
  }
}

/** The file with these choices; null where it is not a document of ours, which is then left alone. */
export function writeDocument(text: string, parameters: ParameterValues, settings: TestSettings): string | null {
  try {
    const value = JSON.parse(text) as Partial<StrategyDocument>;
    if (value.kind !== 'strategy' || value.format !== 1) return null;
    const next = `${JSON.stringify({ ...value, parameters, settings }, null, 2)}\n`;
    return next === text ? null : next;
  } catch {
    return null;
  }
}

/** Those that are declared, with the defaults where nothing was chosen. */
export const chosenValues = (parameters: StrategyParameter[], given: ParameterValues): ParameterValues =>
  Object.fromEntries(parameters.map(({ name, default: initial }) => [name, given[name] ?? initial]));

export const testTitle = ({ number, name, kind }: Pick<StrategyTestView, 'number' | 'name' | 'kind'>): string =>
  name ?? `${kindWords[kind]} ${number}`;

export const kindWords: Record<StrategyTestView['kind'], string> = {
  backtest: 'Backtest',
  sweep: 'Sweep',
  walk_forward: 'Walk-forward',
};

export const stateWords: Record<StrategyTestView['state'], string> = {
  queued: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  canceled: 'Canceled',
};

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const minute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
export const dayWords = (time: number): string => day.format(time);
export const minuteWords = (time: number): string => minute.format(time);

/** So many values from the least to the most, on the parameter's steps. */
export function rangeOf(
  { kind, min, max, step, choices }: StrategyParameter,
  count: number,
): ParameterValues[string][] {
  if (kind === 'boolean') return [false, true];
  if (kind === 'choice') return choices ?? [];
  const [low, high] = [min ?? 0, max ?? 1];
  const size = step ?? (kind === 'integer' ? 1 : 0);
  const values = Array.from({ length: count }, (_, index) => {
    const value = count === 1 ? low : low + ((high - low) * index) / (count - 1);
    const stepped = size > 0 ? low + Math.round((value - low) / size) * size : value;
    return Number(stepped.toPrecision(6));
  });
  return [...new Set(values)];
}

/** From the one to the other, by so much: what both can say exactly. */
export function stepsOf(from: number, to: number, step: number): number[] {
  if (!(step > 0) || !(to >= from)) return [];
  const count = Math.min(Math.floor((to - from) / step + 1e-9) + 1, mostSweepPoints + 1);
  return Array.from({ length: count }, (_, index) => Number((from + index * step).toPrecision(9)));
}

/** How many combinations are done of a sweep: the first part of its progress is reading the bars. */
export const doneOf = (progress: number, count: number): number =>
  Math.min(Math.max(Math.round(((progress - 0.3) / 0.7) * count), 0), count);

/** A sweep over one or two parameters as a grid; of more, the best of each cell. */
export function heatGrid(points: SweepPoint[], ranges: Record<string, unknown[]>) {
  const [x = '', y] = Object.keys(ranges).sort((a, b) => (ranges[b]?.length ?? 0) - (ranges[a]?.length ?? 0));
  const columns = ranges[x] ?? [];
  const rows = y ? (ranges[y] ?? []) : [null];
  const cells = rows.map((row) =>
    columns.map((column) => {
      const here = points.filter(
        ({ parameters }) => parameters[x] === column && (y === undefined || parameters[y] === row),
      );
      return here.reduce<SweepPoint | null>(
        (best, point) => (best === null || (point.total_return ?? -9) > (best.total_return ?? -9) ? point : best),
        null,
      );
    }),
  );
  return { x, y: y ?? null, columns, rows, cells };
}

export interface CatalogueSearch {
  search?: string;
  sort?: StrategySort;
  asset?: string;
  checked?: boolean;
  live?: boolean;
  page?: number;
}

export function parseCatalogue(search: Record<string, unknown>): CatalogueSearch {
  const sort = strategySorts.find((each) => each === search.sort);
  const page = Number(search.page);
  return {
    ...(typeof search.search === 'string' && search.search ? { search: search.search.slice(0, 100) } : {}),
    ...(sort ? { sort } : {}),
    ...(typeof search.asset === 'string' && search.asset ? { asset: search.asset.slice(0, 20) } : {}),
    ...(search.checked === true || search.checked === 'true' ? { checked: true } : {}),
    ...(search.live === true || search.live === 'true' ? { live: true } : {}),
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}

export const windowWords = { '1d': '1 day', '7d': '7 days', '30d': '30 days', max: 'All' } as const;

export const sortWords: Record<StrategySort, string> = {
  published_at: 'Newest',
  total_return: 'Return',
  return_30d: 'Return of the last 30 days',
  return_7d: 'Return of the last 7 days',
  return_1d: 'Return of the last day',
  sharpe: 'Sharpe',
  max_drawdown: 'Smallest drawdown',
  live_time: 'Longest live',
};

const week = 7 * 86_400_000;
type Live = { environment: Environment; since: string };
/** Called live after a week with real money only. */
export const runLabel = ({ environment, since }: Live): string =>
  environment !== 'live'
    ? environment === 'demo'
      ? 'Demo'
      : 'Testnet'
    : Date.now() - Date.parse(since) < week
      ? 'First week'
      : 'Live';
export const runWords = (live: Live): string => {
  const label = runLabel(live);
  return label === 'Live'
    ? 'Runs live'
    : label === 'First week'
      ? 'In its first week'
      : `Runs on ${label.toLowerCase()}`;
};

/** Of a plan; constraints between parameters that are not varied are not known here, and leave none out. */
export function combinationsOf({ ranges, constraints = [] }: TestPlan): number {
  let points: ParameterValues[] = [{}];
  for (const [name, values] of Object.entries(ranges)) {
    points = points.flatMap((point) => values.map((value) => ({ ...point, [name]: value })));
    if (points.length > mostSweepPoints) return points.length;
  }
  const isKept = (point: ParameterValues) =>
    constraints.every(
      ({ less, greater }) => !(less in point && greater in point) || Number(point[less]) < Number(point[greater]),
    );
  return points.filter(isKept).length;
}
