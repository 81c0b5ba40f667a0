import type { ParameterValues, StrategyRunView, TestSettings } from '@atoll/contract/strategies/entity';
import { exchangeInfo } from '@atoll/contract/trading/values';
import { Alert, Button, Checkbox, Group, Modal, NumberInput, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { api, client } from '../../../platform/client.ts';
import { toast, toastError } from '../../../ui/toast.ts';
import { When } from '../../../ui/when.tsx';
import { useSession } from '../../session/queries.ts';
import { EnvironmentBadge } from '../../trading/components/environment-badge.tsx';
import { connectionsQuery } from '../../trading/queries.ts';
import { minuteWords, moneyWords, percentWords } from '../model.ts';
import { decisionsQuery, runsQuery } from '../queries.ts';
import classes from './strategies.module.css';
import { Pager, Scroll } from './table-parts.tsx';

const stateWords = { running: 'Running', paused: 'Paused', stopped: 'Stopped', failed: 'Failed' } as const;

/** Where the strategy is at work, and what it decided there. */
export function LiveRuns({ strategyId, canRun, onStart }: { strategyId: string; canRun: boolean; onStart(): void }) {
  const { data, error } = useQuery(runsQuery(strategyId));
  const [opened, setOpened] = useState<string | null>(null);
  if (error && !data) return <Text c="dimmed">{messageOf(error)}</Text>;
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
        <Run
          key={run.id}
          strategyId={strategyId}
          run={run}
          isOpen={opened === run.id}
          onToggle={() => setOpened(opened === run.id ? null : run.id)}
        />
      ))}
      {canRun && (
        <Button variant="default" onClick={onStart}>
          Run it once more
        </Button>
      )}
    </>
  );
}

function Run(props: { strategyId: string; run: StrategyRunView; isOpen: boolean; onToggle(): void }) {
  const { strategyId, run, isOpen, onToggle } = props;
  const queryClient = useQueryClient();
  const [isStopping, setIsStopping] = useState(false);
  const change = useMutation({
    mutationFn: (input: { action: 'pause' | 'resume' | 'stop'; closes_positions?: boolean }) =>
      client.strategies.changeRun({ id: strategyId, runId: run.id, ...input }),
    onSuccess: () => {
      setIsStopping(false);
      void queryClient.invalidateQueries({ queryKey: api.strategies.runs.key() });
    },
    onError: (error) => toastError(error),
  });
  const isGoing = run.state === 'running' || run.state === 'paused';
  const growth = run.equity === null ? null : run.equity / run.capital - 1;
  return (
    <section className={classes.section} aria-label={`Run on ${run.connection_label}`}>
      <Group justify="space-between" mb="xs">
        <Group gap="xs">
          <strong>{stateWords[run.state]}</strong>
          <EnvironmentBadge environment={run.environment} />
          <Text size="sm" c="dimmed">
            {run.settings.symbols.join(', ')}, {run.settings.timeframe}, since <When time={run.started_at} />
          </Text>
        </Group>
        {run.is_yours && isGoing && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              loading={change.isPending}
              onClick={() => change.mutate({ action: run.state === 'running' ? 'pause' : 'resume' })}
            >
              {run.state === 'running' ? 'Pause' : 'Resume'}
            </Button>
            <Button size="xs" variant="default" onClick={() => setIsStopping(true)}>
              Stop
            </Button>
          </Group>
        )}
      </Group>
      {run.reason && (
        <Alert variant="light" color={run.state === 'failed' ? 'danger' : 'warning'} mb="xs">
          {run.reason}
        </Alert>
      )}
      <dl className={classes.figures}>
        <div>
          <dt>Capital</dt>
          <dd>{moneyWords(run.capital)}</dd>
        </div>
        <div>
          <dt>Equity</dt>
          <dd>{run.equity === null ? 'n/a' : moneyWords(run.equity)}</dd>
        </div>
        <div>
          <dt>Return</dt>
          <dd data-direction={growth === null ? undefined : growth < 0 ? 'down' : 'up'}>
            {growth === null ? 'n/a' : percentWords(growth)}
          </dd>
        </div>
        <div>
          <dt>Holds</dt>
          <dd>
            {run.positions.length === 0
              ? 'Nothing'
              : run.positions
                  .map(({ symbol, amount }) => `${Number(amount.toPrecision(6))} ${symbol.split('/')[0]}`)
                  .join(', ')}
          </dd>
        </div>
        <div>
          <dt>Last bar</dt>
          <dd>{run.last_bar === null ? 'Waiting for the first' : minuteWords(run.last_bar)}</dd>
        </div>
      </dl>
      <Button size="compact-sm" variant="subtle" mt="xs" onClick={onToggle} aria-expanded={isOpen}>
        {isOpen ? 'Hide decisions' : 'Show decisions'}
      </Button>
      {isOpen && <Decisions strategyId={strategyId} runId={run.id} />}
      {isStopping && (
        <StopDialog
          run={run}
          isPending={change.isPending}
          onStop={(closes_positions) => change.mutate({ action: 'stop', closes_positions })}
          onClose={() => setIsStopping(false)}
        />
      )}
    </section>
  );
}

function StopDialog(props: {
  run: StrategyRunView;
  isPending: boolean;
  onStop(closes: boolean): void;
  onClose(): void;
}) {
  const [closes, setCloses] = useState(false);
  return (
    <Modal opened onClose={props.onClose} title="Stop the run">
      <Stack>
        <Text size="sm">It decides nothing more. A run that was stopped cannot be resumed.</Text>
        <Checkbox
          label="Sell what it holds, and cancel its open orders"
          checked={closes}
          onChange={(event) => setCloses(event.currentTarget.checked)}
        />
        <Button color="danger" loading={props.isPending} onClick={() => props.onStop(closes)}>
          Stop the run
        </Button>
      </Stack>
    </Modal>
  );
}

const decisionStates = { decided: 'Being ordered', ordered: 'Ordered', refused: 'Refused' } as const;

function Decisions({ strategyId, runId }: { strategyId: string; runId: string }) {
  const [page, setPage] = useState(1);
  const { data } = useQuery(decisionsQuery(strategyId, runId, page));
  if (!data) return <Skeleton height={80} />;
  if (data.total === 0)
    return (
      <Text size="sm" c="dimmed">
        It has decided nothing yet.
      </Text>
    );
  const pages = Math.ceil(data.total / data.page_size);
  return (
    <>
      <Scroll label="List of decisions">
        <table className={classes.table} aria-label="Decisions">
          <thead>
            <tr>
              <th>Bar</th>
              <th>Market</th>
              <th>Order</th>
              <th>Amount</th>
              <th className={classes.words}>Why</th>
              <th className={classes.words}>What became of it</th>
            </tr>
          </thead>
          <tbody>
            {data.entries.map((decision) => (
              <tr key={decision.id}>
                <td>{minuteWords(decision.bar)}</td>
                <td>{decision.symbol}</td>
                <td>{decision.kind === 'cancel' ? 'Cancel' : `${decision.side}, ${decision.type}`}</td>
                <td>{decision.amount === null ? '' : Number(decision.amount.toPrecision(6))}</td>
                <td className={classes.words}>{decision.why}</td>
                <td className={classes.words}>
                  {decisionStates[decision.state]}
                  {decision.reason && `: ${decision.reason}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <Pager page={page} pages={pages} onChange={setPage} />
    </>
  );
}

interface StartRunDialogProps {
  strategyId: string;
  parameters: ParameterValues;
  settings: TestSettings;
  onStarted(): void;
  onClose(): void;
}

export function StartRunDialog({ strategyId, parameters, settings, onStarted, onClose }: StartRunDialogProps) {
  const { is_guest } = useSession();
  const { data } = useQuery({ ...connectionsQuery, enabled: !is_guest });
  const queryClient = useQueryClient();
  const connections = data?.entries ?? [];
  const [connectionId, setConnectionId] = useState<string | null>(null);
  const [capital, setCapital] = useState<number>(1_000);
  const [requestId] = useState(() => crypto.randomUUID());
  const chosen = connections.find(({ id }) => id === (connectionId ?? connections[0]?.id));
  const start = useMutation({
    mutationFn: () =>
      client.strategies.startRun({
        id: strategyId,
        connection_id: chosen?.id ?? '',
        parameters,
        settings: { symbols: settings.symbols, timeframe: settings.timeframe },
        capital,
        request_id: requestId,
      }),
    onSuccess: () => {
      toast('It runs. It decides at the end of each bar.');
      void queryClient.invalidateQueries({ queryKey: api.strategies.runs.key() });
      onStarted();
    },
  });
  if (is_guest)
    return (
      <Modal opened onClose={onClose} title="Run the strategy">
        <Text>Create an account to run strategies.</Text>
      </Modal>
    );
  return (
    <Modal opened onClose={onClose} title="Run the strategy">
      <Stack>
        <Select
          label="Connection"
          data={connections.map(({ id, type, label }) => ({
            value: id,
            label: `${label} (${exchangeInfo[type].name})`,
          }))}
          value={chosen?.id ?? null}
          allowDeselect={false}
          onChange={setConnectionId}
        />
        {chosen && <EnvironmentBadge environment={exchangeInfo[chosen.type].environment} />}
        <NumberInput
          label="Capital"
          description="The money it may trade with"
          min={1}
          thousandSeparator=" "
          value={capital}
          onChange={(value) => typeof value === 'number' && setCapital(value)}
        />
        <Text size="sm" c="dimmed">
          On {settings.symbols.join(', ')} with bars of {settings.timeframe}, with the parameters beside the code. Every
          order keeps to the limits of the connection; the kill switch pauses the run.
        </Text>
        {start.error && (
          <Text size="sm" c="var(--danger-ink)" role="alert">
            {messageOf(start.error)}
          </Text>
        )}
        <Button loading={start.isPending} disabled={!chosen} onClick={() => start.mutate()}>
          Run the strategy
        </Button>
      </Stack>
    </Modal>
  );
}
