import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/Progress.layer.css';
import type { StrategyTestView } from '@atoll/contract/strategies/entity';
import { Checkbox, Progress, Skeleton, Text, Tooltip } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Pager } from '../../../../ui/lists/pager.tsx';
import { When } from '../../../../ui/when.tsx';
import { figureWords, kindWords, percentWords, stateWords, testTitle } from '../../model.ts';
import { testsOnPage, testsQuery } from '../../queries.ts';
import classes from '../strategies.module.css';
import { ScrollTable, words } from '../table-parts.tsx';

interface TestListProps {
  strategyId: string;
  progress: Map<string, number | null>;
  compared: string[];
  onOpen(testId: string): void;
  onCompare(testIds: string[]): void;
}

const mostCompared = 5;

export function TestList({ strategyId, progress, compared, onOpen, onCompare }: TestListProps) {
  const [page, setPage] = useState(1);
  const { data } = useQuery(testsQuery(strategyId, page));
  if (!data) return <Skeleton height={200} />;
  if (data.total === 0) {
    return (
      <div className={classes.empty}>
        <Text fw={600}>No backtest yet</Text>
        <Text c="dimmed">
          Choose markets and a time beside the code, then run a backtest. The demo has five years of prices.
        </Text>
      </div>
    );
  }
  const pages = Math.ceil(data.total / testsOnPage);
  return (
    <>
      <ScrollTable
        scrollLabel="List of backtests"
        label="Backtests"
        columns={['Test', words('Markets'), 'Return', 'Sharpe', 'Drawdown', 'Trades', 'Checks', 'Compare', 'When']}
      >
        {data.entries.map((test) => (
          <TestRow
            key={test.id}
            test={test}
            progress={progress.get(test.id) ?? null}
            isCompared={compared.includes(test.id)}
            isFull={compared.length >= mostCompared}
            onOpen={() => onOpen(test.id)}
            onCompare={(isOn) => onCompare(isOn ? [...compared, test.id] : compared.filter((id) => id !== test.id))}
          />
        ))}
      </ScrollTable>
      <Pager page={page} pages={pages} onChange={setPage} />
    </>
  );
}

interface TestRowProps {
  test: StrategyTestView;
  progress: number | null;
  isCompared: boolean;
  isFull: boolean;
  onOpen(): void;
  onCompare(isOn: boolean): void;
}

function TestRow({ test, progress, isCompared, isFull, onOpen, onCompare }: TestRowProps) {
  const { summary, settings, state, look_ahead } = test;
  const value = summary?.figures.total_return?.value ?? null;
  return (
    <tr data-selected={isCompared || undefined}>
      <td>
        <button type="button" className={classes.rowButton} onClick={onOpen}>
          {testTitle(test)}
        </button>
        {test.name && <Text size="xs" c="dimmed">{`${kindWords[test.kind]} ${test.number}`}</Text>}
      </td>
      <td className={classes.words}>
        {settings.symbols.join(', ')}, {settings.timeframe}
      </td>
      {state === 'done' && summary ? (
        <>
          <td data-direction={value === null ? undefined : value < 0 ? 'down' : 'up'}>
            {figureWords(summary.figures.total_return, percentWords)}
          </td>
          <td>{figureWords(summary.figures.sharpe, (each) => each.toFixed(2))}</td>
          <td>{figureWords(summary.figures.max_drawdown, percentWords)}</td>
          <td>{summary.closed_trades}</td>
        </>
      ) : (
        <td colSpan={4} className={classes.words}>
          {state === 'running' && progress !== null ? (
            <Progress value={progress * 100} aria-label="How far it is" />
          ) : (
            <Tooltip label={test.reason} disabled={!test.reason}>
              <span>{test.reason && state === 'failed' ? `Failed: ${test.reason}` : stateWords[state]}</span>
            </Tooltip>
          )}
        </td>
      )}
      <td>
        {look_ahead === 'passed' && (
          <Tooltip label="Look-ahead tested">
            <IconCircleCheck size={18} aria-label="Look-ahead tested" color="var(--success-ink)" />
          </Tooltip>
        )}
        {look_ahead === 'failed' && (
          <Tooltip label="It looks ahead">
            <IconCircleX size={18} aria-label="It looks ahead" color="var(--danger-ink)" />
          </Tooltip>
        )}
      </td>
      <td>
        {test.kind === 'backtest' && state === 'done' && (
          <Checkbox
            size="xs"
            aria-label={`Compare ${testTitle(test)}`}
            checked={isCompared}
            disabled={!isCompared && isFull}
            onChange={(event) => onCompare(event.currentTarget.checked)}
          />
        )}
      </td>
      <td>
        <When time={test.created_at} />
      </td>
    </tr>
  );
}
