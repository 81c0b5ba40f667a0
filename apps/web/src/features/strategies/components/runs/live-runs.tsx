import type { StrategyRunView } from '@atoll/contract/strategies/runs';
import { Button, Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../../../platform/client.ts';
import { LoadProblem } from '../../../../ui/empty-state.tsx';
import { runsQuery } from '../../queries.ts';
import classes from '../strategies.module.css';
import { RunCard } from './run-card.tsx';
import { RunComparison } from './run-comparison.tsx';

/** Where the strategy is at work, and what it decided there. */
export function LiveRuns({ strategyId, canRun, onStart }: { strategyId: string; canRun: boolean; onStart(): void }) {
  const { data, error, refetch } = useQuery(runsQuery(strategyId));
  if (error && !data) return <LoadProblem error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={160} />;
  if (data.entries.length === 0) {
    return (
      <div className={classes.empty}>
        <Text fw={600}>It does not run yet</Text>
        <Text c="dimmed">
          Run it on the demo first: the same code, on live prices, with demo money. Its orders keep to the limits of the
          connection.
        </Text>
        {canRun && <Button onClick={onStart}>Run the strategy</Button>}
      </div>
    );
  }
  return (
    <>
      {data.entries.map((run) => (
        <Run key={run.id} strategyId={strategyId} run={run} />
      ))}
      {canRun && (
        <Button variant="default" onClick={onStart}>
          Start another run
        </Button>
      )}
    </>
  );
}

function Run({ strategyId: id, run }: { strategyId: string; run: StrategyRunView }) {
  const queryClient = useQueryClient();
  return (
    <RunCard
      run={run}
      onChange={async (change) => {
        await client.strategies.changeRun({ id, runId: run.id, ...change });
        await queryClient.invalidateQueries({ queryKey: api.strategies.runs.key() });
      }}
      decisions={(page) => client.strategies.decisions({ id, runId: run.id, page })}
      comparison={run.last_bar !== null && <RunComparison strategyId={id} runId={run.id} />}
    />
  );
}
