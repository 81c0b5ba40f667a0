import type { ParameterValues, StrategyTestDetail, SweepPoint } from '@atoll/contract/strategies/entity';
import { Alert, SegmentedControl, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { dayWords, figureWords, heatGrid, percentWords } from '../../model.ts';
import classes from '../strategies.module.css';
import { Scroll, ScrollTable } from '../table-parts.tsx';

const measures = {
  total_return: { label: 'Return', words: (value: number) => percentWords(value, 1), scale: 2 },
  sharpe: { label: 'Sharpe', words: (value: number) => value.toFixed(2), scale: 0.3 },
  max_drawdown: { label: 'Drawdown', words: (value: number) => percentWords(value, 1), scale: 2 },
  out_of_sample_return: { label: 'Out of sample', words: (value: number) => percentWords(value, 1), scale: 2 },
} as const;
type Measure = keyof typeof measures;

const tint = (value: number, scale: number) =>
  `color-mix(in srgb, var(${value < 0 ? '--danger-ink' : '--success-ink'}) ${Math.min(60, 6 + Math.abs(value) * scale * 60).toFixed(0)}%, transparent)`;

const wordsOf = (value: unknown) => (typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));

/** Every combination as a heat map; choosing one takes its parameters over. */
export function SweepResult({ test, onChoose }: { test: StrategyTestDetail; onChoose(values: ParameterValues): void }) {
  const [measure, setMeasure] = useState<Measure>('total_return');
  const { points, plan, warning } = test;
  if (!points || !plan) return null;
  const { x, y, columns, rows, cells } = heatGrid(points, plan.ranges);
  const { words, scale } = measures[measure];
  const failed = points.filter(({ problem }) => problem !== null);
  const offered = (Object.keys(measures) as Measure[]).filter((name) => points.some((point) => point[name] !== null));
  return (
    <>
      {warning && (
        <Alert color="warning" mb="md">
          {warning}
        </Alert>
      )}
      <SegmentedControl
        size="xs"
        mb="sm"
        aria-label="What is shown"
        data={offered.map((value) => ({ value, label: measures[value].label }))}
        value={measure}
        onChange={(value) => setMeasure(value as Measure)}
      />
      <Scroll label="Heat map">
        <table className={classes.heat} aria-label="Results by parameter">
          <thead>
            <tr>
              <th>{y ? `${y} ↓  ${x} →` : x}</th>
              {columns.map((column) => (
                <th key={wordsOf(column)}>{wordsOf(column)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cells.map((line, index) => (
              <tr key={wordsOf(rows[index])}>
                <th scope="row">{y ? wordsOf(rows[index]) : ''}</th>
                {line.map((point, at) => (
                  <Cell
                    key={wordsOf(columns[at])}
                    point={point}
                    measure={measure}
                    words={words}
                    scale={scale}
                    onChoose={onChoose}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <Best points={points} names={Object.keys(plan.ranges)} measure={measure} />
      <Text size="xs" c="dimmed" mt="xs">
        {points.length} combinations. Press one to take its parameters over.
        {failed.length > 0 && ` ${failed.length} failed: ${failed[0]?.problem}`}
      </Text>
    </>
  );
}

const mostRanked = 10;

/** The best by what is shown. */
function Best({ points, names, measure }: { points: SweepPoint[]; names: string[]; measure: Measure }) {
  const ranked = points
    .filter((point) => point[measure] !== null)
    .sort((a, b) => (b[measure] ?? 0) - (a[measure] ?? 0))
    .slice(0, mostRanked);
  return (
    <ScrollTable
      scrollLabel="Best combinations"
      label="Best"
      columns={['Rank', ...names, 'Return', 'Sharpe', 'Drawdown', 'Trades']}
    >
      {ranked.map((point, index) => (
        <tr key={names.map((name) => wordsOf(point.parameters[name])).join(' ')}>
          <td>{index + 1}</td>
          {names.map((name) => (
            <td key={name}>{wordsOf(point.parameters[name])}</td>
          ))}
          {(['total_return', 'sharpe', 'max_drawdown'] as const).map((name) => (
            <td key={name}>{point[name] === null ? 'n/a' : measures[name].words(point[name])}</td>
          ))}
          <td>{point.trades}</td>
        </tr>
      ))}
    </ScrollTable>
  );
}

function Cell(props: {
  point: SweepPoint | null;
  measure: Measure;
  words(value: number): string;
  scale: number;
  onChoose(values: ParameterValues): void;
}) {
  const { point, measure, words, scale, onChoose } = props;
  const value = point?.[measure] ?? null;
  if (!point || value === null) return <td>n/a</td>;
  return (
    <td style={{ background: tint(value, scale) }}>
      <UnstyledButton
        fz="inherit"
        aria-label={`Use ${Object.entries(point.parameters)
          .map(([name, each]) => `${name} ${wordsOf(each)}`)
          .join(', ')}`}
        onClick={() => onChoose(point.parameters)}
      >
        {words(value)}
      </UnstyledButton>
    </td>
  );
}

export function WalkForwardResult({ test }: { test: StrategyTestDetail }) {
  const { folds, warning } = test;
  if (!folds) return null;
  const names = Object.keys(folds[0]?.parameters ?? {});
  return (
    <>
      {warning && (
        <Alert color="warning" mb="md">
          {warning}
        </Alert>
      )}
      <ScrollTable
        scrollLabel="Windows"
        label="Walk-forward"
        columns={['Chosen on', 'Tested on', ...names, 'In sample', 'Out of sample', 'Trades']}
      >
        {folds.map((fold) => (
          <tr key={fold.from}>
            <td>
              {dayWords(fold.from)} – {dayWords(fold.split)}
            </td>
            <td>
              {dayWords(fold.split)} – {dayWords(fold.to)}
            </td>
            {names.map((name) => (
              <td key={name}>{wordsOf(fold.parameters[name])}</td>
            ))}
            <td>{figureWords(fold.in_sample, percentWords)}</td>
            <td data-direction={(fold.out_of_sample.value ?? 0) < 0 ? 'down' : 'up'}>
              {figureWords(fold.out_of_sample, percentWords)}
            </td>
            <td>{fold.trades}</td>
          </tr>
        ))}
      </ScrollTable>
    </>
  );
}
