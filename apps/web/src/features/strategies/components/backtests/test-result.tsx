import '@mantine/core/styles/Progress.layer.css';
import type {
  BacktestResult,
  StrategyCheck,
  StrategyTestDetail,
  StrategyTrade,
  TestSummary,
} from '@atoll/contract/strategies/entity';
import { Button, Progress, SegmentedControl, Text, Tooltip } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconHelpCircle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, client } from '../../../../platform/client.ts';
import { Figure } from '../../../../ui/lists/figure.tsx';
import figures from '../../../../ui/styles/figures.module.css';
import { toastError } from '../../../../ui/toast.ts';
import { dayWords, figureList, figureWords, moneyWords, percentWords } from '../../model.ts';
import { priceBarsQuery } from '../../queries.ts';
import { DrawdownChart, EquityChart, TradesChart } from '../charts.tsx';
import classes from '../strategies.module.css';
import { Scroll } from '../table-parts.tsx';
import { BarInspector } from './bar-inspector.tsx';
import { Data, Logs, Orders, Trades } from './test-lists.tsx';

interface TestResultProps {
  strategyId: string;
  test: StrategyTestDetail;
  /** Of its verification. */
  progress: number | null;
  canRun: boolean;
}

/** One backtest: what came of it, how far it can be trusted, and every trade. */
export function TestResult({ strategyId, test, progress, canRun }: TestResultProps) {
  const { result } = test;
  const [at, setAt] = useState<number | null>(null);
  if (!result?.summary) return null;
  const mark = test.settings.out_of_sample_from ? Date.parse(test.settings.out_of_sample_from) : null;
  return (
    <>
      <Figures result={result} summary={result.summary} />
      <section className={classes.section} aria-label="Equity">
        <h2>Equity against buy and hold</h2>
        <EquityChart series={result.series} mark={mark} />
        <DrawdownChart series={result.series} />
      </section>
      <Checks {...{ strategyId, test, progress, canRun, result }} />
      <Prices test={test} trades={result.trades} onBar={setAt} />
      {at !== null && <BarInspector strategyId={strategyId} testId={test.id} time={at} onClose={() => setAt(null)} />}
      <Months monthly={result.monthly} />
      <Distribution result={result} />
      <Trades result={result} onBar={setAt} />
      <Orders result={result} />
      <Data result={result} />
      <Logs result={result} />
    </>
  );
}

const parts = { summary: 'All', in_sample: 'In sample', out_of_sample: 'Out of sample' } as const;

function Figures({ result, summary }: { result: BacktestResult; summary: TestSummary }) {
  const [part, setPart] = useState<keyof typeof parts>('summary');
  const shown = result[part] ?? summary;
  const error = shown.figures.sharpe_error?.value;
  return (
    <section className={classes.section} aria-label="Figures">
      {result.out_of_sample && (
        <SegmentedControl
          size="xs"
          mb="md"
          aria-label="Which part"
          data={Object.entries(parts).map(([value, label]) => ({ value, label }))}
          value={part}
          onChange={(value) => setPart(value as keyof typeof parts)}
        />
      )}
      <dl className={classes.figures}>
        {figureList.map(({ name, term, words, hasDirection, help }, index) => {
          const figure = shown.figures[name];
          const value = figure?.value ?? null;
          const plus = name === 'sharpe' && typeof error === 'number' && value !== null ? ` ± ${error.toFixed(2)}` : '';
          return (
            <div key={name}>
              <Tooltip label={help}>
                <dt>{term}</dt>
              </Tooltip>
              <dd
                className={index < 2 ? classes.large : undefined}
                data-direction={hasDirection && value !== null ? (value < 0 ? 'down' : 'up') : undefined}
              >
                {figureWords(figure, words) + plus}
              </dd>
              {figure?.reason && <dd className={figures.reason}>{figure.reason}</dd>}
            </div>
          );
        })}
        <Figure name="Trades">
          {shown.closed_trades}
          {shown.open_trades > 0 && ` and ${shown.open_trades} open`}
        </Figure>
        <Figure name="Fees paid">{moneyWords(shown.fees)}</Figure>
        <Figure name="Equity at the end">{moneyWords(shown.end_equity)}</Figure>
        <Figure name="Longest drawdown">
          {Math.round(shown.drawdown_days)} days{shown.is_under_water && ', still going on'}
        </Figure>
      </dl>
      <Text size="xs" c="dimmed" mt="sm">
        {shown.bars.toLocaleString('en')} bars from {dayWords(shown.from)} to {dayWords(shown.to)}. Past results say
        little about the future.
      </Text>
    </section>
  );
}

const checkWords = { passed: 'tested', failed: 'failed', skipped: 'not tested' } as const;
const checkIcons = { passed: IconCircleCheck, failed: IconCircleX, skipped: IconHelpCircle };

function CheckCard({ name, check }: { name: string; check: StrategyCheck }) {
  const Icon = checkIcons[check.state];
  return (
    <div className={classes.check} data-state={check.state}>
      <Icon size={20} aria-hidden />
      <div>
        <strong>
          {name} {checkWords[check.state]}
        </strong>
        <div>{check.message}</div>
      </div>
    </div>
  );
}

/** Which of the two a result has: tested on shorter data, or decided without the future. */
function Verification({
  test,
  progress,
  children,
}: Pick<TestResultProps, 'test' | 'progress'> & { children: ReactNode }) {
  const { verification } = test;
  const isGoing = verification?.state === 'queued' || verification?.state === 'running';
  const state = verification && !isGoing ? (verification.state as StrategyCheck['state']) : 'skipped';
  const Icon = checkIcons[state];
  const title = {
    passed: 'Verified bar by bar',
    failed: 'Not the same bar by bar',
    skipped: isGoing ? 'Being verified bar by bar' : 'Not verified bar by bar',
  }[state];
  return (
    <div className={classes.check} data-state={state} role={isGoing ? 'status' : undefined}>
      <Icon size={20} aria-hidden />
      <div>
        <strong>{title}</strong>
        {isGoing ? (
          <Progress value={(progress ?? 0) * 100} mt="xs" aria-label="How far it is verified" />
        ) : (
          <>
            <div>{verification?.message ?? 'Gives the strategy each bar when it has closed, and none before.'}</div>
            {children}
          </>
        )}
      </div>
    </div>
  );
}

function Checks({ strategyId, test, progress, canRun, result }: TestResultProps & { result: BacktestResult }) {
  const queryClient = useQueryClient();
  const { fingerprint, monte_carlo, ambiguous_bars, decided_by_finer_bars } = result;
  const verify = useMutation({
    mutationFn: () => client.strategies.verifyTest({ id: strategyId, testId: test.id }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: api.strategies.getTest.key() }),
    onError: (error) => toastError(error),
  });
  return (
    <section className={classes.section} aria-label="Can it be trusted?">
      <h2>Can it be trusted?</h2>
      <div className={classes.checks}>
        <CheckCard name="Look-ahead" check={result.checks.look_ahead} />
        <CheckCard name="Warm-up" check={result.checks.warm_up} />
        <Verification test={test} progress={progress}>
          {canRun && (
            <Button
              size="compact-xs"
              variant="default"
              mt="xs"
              loading={verify.isPending}
              onClick={() => verify.mutate()}
            >
              {test.verification ? 'Verify again' : 'Verify bar by bar'}
            </Button>
          )}
        </Verification>
      </div>
      <Text size="sm" mt="sm">
        {ambiguous_bars === 0
          ? 'No bar hit both stop and take-profit.'
          : `${ambiguous_bars} bars hit both stop and take-profit: the stop is counted first.`}
        {decided_by_finer_bars > 0 && ` Shorter bars decided ${decided_by_finer_bars}.`}
      </Text>
      {monte_carlo && (
        <Text size="sm" mt="xs">
          Monte Carlo ({monte_carlo.runs.toLocaleString('en')} runs): a return between{' '}
          {percentWords(monte_carlo.total_return.p5)} and {percentWords(monte_carlo.total_return.p95)} in nine of ten, a
          drawdown of {percentWords(monte_carlo.max_drawdown.p5)} or worse in one of twenty, a loss in{' '}
          {(monte_carlo.loss_probability * 100).toFixed(0)} %.
        </Text>
      )}
      {fingerprint && (
        <Text size="sm" mt="xs" component="div">
          Fingerprint <span className={classes.hash}>{fingerprint.result.slice(0, 16)}</span>
        </Text>
      )}
    </section>
  );
}

function Prices({
  test,
  trades,
  onBar,
}: {
  test: StrategyTestDetail;
  trades: StrategyTrade[];
  onBar(time: number): void;
}) {
  const { source, symbols, timeframe } = test.settings;
  const [symbol, setSymbol] = useState(symbols[0] ?? '');
  const summary = test.result?.summary;
  const { data } = useQuery({
    ...priceBarsQuery(
      source.type === 'exchange' ? source.exchange : 'demo',
      symbol,
      timeframe,
      summary?.from ?? 0,
      summary?.to ?? 0,
    ),
    enabled: source.type === 'exchange' && summary !== undefined,
  });
  if (!data) return null;
  const own = trades.filter((trade) => trade.symbol === symbol);
  return (
    <section className={classes.section} aria-label="Trades on the price">
      <h2>Trades on the price</h2>
      {symbols.length > 1 && (
        <SegmentedControl
          size="xs"
          mb="sm"
          aria-label="Market"
          data={symbols.slice(0, 10)}
          value={symbol}
          onChange={setSymbol}
        />
      )}
      <TradesChart bars={data} trades={own} onBar={onBar} />
      <Text size="xs" c="dimmed">
        Click a bar to see what the strategy saw there.
      </Text>
    </section>
  );
}

const heat = (value: number) =>
  `color-mix(in srgb, var(${value < 0 ? '--danger-ink' : '--success-ink'}) ${Math.min(60, 8 + Math.abs(value) * 300).toFixed(0)}%, transparent)`;
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function Months({ monthly }: { monthly: BacktestResult['monthly'] }) {
  const years = [...new Set(monthly.map(({ month }) => month.slice(0, 4)))];
  const of = new Map(monthly.map(({ month, value }) => [month, value]));
  return (
    <section className={classes.section} aria-label="Months">
      <h2>Return by month</h2>
      <Scroll label="Return of each month">
        <table className={classes.heat}>
          <thead>
            <tr>
              <td />
              {monthNames.map((name) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {years.map((year) => (
              <tr key={year}>
                <th scope="row">{year}</th>
                {monthNames.map((name, index) => {
                  const value = of.get(`${year}-${String(index + 1).padStart(2, '0')}`);
                  return value === undefined ? (
                    <td key={name} />
                  ) : (
                    <td key={name} style={{ background: heat(value) }}>
                      {percentWords(value, 1)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function Distribution({ result }: { result: BacktestResult }) {
  const { distribution } = result;
  if (distribution.length === 0) return null;
  const most = Math.max(...distribution.map(({ count }) => count), 1);
  return (
    <section className={classes.section} aria-label="Distribution">
      <h2>Results of trades</h2>
      <div className={classes.bars}>
        {distribution.map(({ from, to, count }) => (
          <Tooltip key={from} label={`${count} from ${percentWords(from, 1)} to ${percentWords(to, 1)}`}>
            <span data-direction={to <= 0 ? 'down' : 'up'} style={{ height: `${(count / most) * 100}%` }} />
          </Tooltip>
        ))}
      </div>
      <Text size="xs" c="dimmed">
        From {percentWords(distribution[0]?.from ?? 0, 1)} to {percentWords(distribution.at(-1)?.to ?? 0, 1)} of what a
        trade cost
      </Text>
    </section>
  );
}
