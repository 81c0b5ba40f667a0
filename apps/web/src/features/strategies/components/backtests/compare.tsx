import { Skeleton } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { figureList, figureWords, testTitle } from '../../model.ts';
import { testQuery } from '../../queries.ts';
import { CompareChart } from '../charts.tsx';
import classes from '../strategies.module.css';
import { ScrollTable } from '../table-parts.tsx';

/** Several backtests beside each other. */
export function Compare({ strategyId, testIds }: { strategyId: string; testIds: string[] }) {
  const answers = useQueries({ queries: testIds.map((testId) => testQuery(strategyId, testId)) });
  const loaded = answers.flatMap(({ data }) => (data ? [data] : []));
  const key = loaded.map(({ id }) => id).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a result that is done never changes
  const lines = useMemo(
    () =>
      loaded.flatMap((test) =>
        test.result
          ? [{ name: testTitle(test), time: test.result.series.time, values: test.result.series.equity }]
          : [],
      ),
    [key],
  );
  if (loaded.length < testIds.length) return <Skeleton height={300} />;
  const names = [...new Set(loaded.flatMap(({ parameters }) => Object.keys(parameters)))];
  return (
    <section className={classes.section} aria-label="Comparison">
      <h2>Growth, %</h2>
      <CompareChart lines={lines} />
      <ScrollTable
        scrollLabel="Figures beside each other"
        columns={[{ name: 'Figure', isHidden: true }, ...loaded.map(testTitle)]}
      >
        {figureList.map(({ name, term, words, hasDirection }) => (
          <tr key={name}>
            <td>{term}</td>
            {loaded.map(({ id, summary }) => {
              const figure = summary?.figures[name];
              const value = figure?.value ?? null;
              const direction = hasDirection && value !== null ? (value < 0 ? 'down' : 'up') : undefined;
              return (
                <td key={id} data-direction={direction}>
                  {figureWords(figure, words)}
                </td>
              );
            })}
          </tr>
        ))}
        {names.map((name) => (
          <tr key={name}>
            <td>{name}</td>
            {loaded.map(({ id, parameters }) => (
              <td key={id}>{String(parameters[name] ?? '–')}</td>
            ))}
          </tr>
        ))}
      </ScrollTable>
    </section>
  );
}
