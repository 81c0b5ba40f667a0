import '@mantine/core/styles/Checkbox.layer.css';
import type { StrategyDecision, StrategyRunView } from '@atoll/contract/strategies/runs';
import { Alert, Button, Checkbox, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../../../platform/client.ts';
import { TextLink } from '../../../../ui/links.tsx';
import { Figure } from '../../../../ui/lists/figure.tsx';
import { Pager } from '../../../../ui/lists/pager.tsx';
import { toastError } from '../../../../ui/toast.ts';
import { When } from '../../../../ui/when.tsx';
import { EnvironmentBadge } from '../../../trading/environment-badge.tsx';
import { minuteWords, moneyWords, percentWords } from '../../model.ts';
import classes from '../strategies.module.css';
import { ScrollTable, words } from '../table-parts.tsx';

const stateWords = { running: 'Running', paused: 'Paused', stopped: 'Stopped', failed: 'Failed' } as const;

export interface RunChange {
  action: 'pause' | 'resume' | 'stop';
  closes_positions?: boolean;
}
interface DecisionPage {
  entries: StrategyDecision[];
  page_size: number;
  total: number;
}
interface RunCardProps {
  run: StrategyRunView;
  onChange(change: RunChange): Promise<unknown>;
  /** A page of what it decided. */
  decisions(page: number): Promise<DecisionPage>;
  /** What else can be looked at. */
  comparison?: ReactNode;
}

/** One run: how it does, what it decided, and how to pause and stop it. */
export function RunCard({ run, onChange, decisions, comparison }: RunCardProps) {
  const [opened, setOpened] = useState<'decisions' | 'comparison' | null>(null);
  const [isStopping, setIsStopping] = useState(false);
  const change = useMutation({
    mutationFn: onChange,
    onSuccess: () => setIsStopping(false),
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
          {run.copy_of?.slug && (
            <TextLink to="/strategies/$slug" params={{ slug: run.copy_of.slug }} search={{}} size="sm">
              {run.copy_of.title}
            </TextLink>
          )}
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
        <Alert color={run.state === 'failed' ? 'danger' : 'warning'} mb="xs">
          {run.reason}
        </Alert>
      )}
      <dl className={classes.figures}>
        <Figure name="Capital">{moneyWords(run.capital)}</Figure>
        <Figure name="Equity">{run.equity === null ? 'n/a' : moneyWords(run.equity)}</Figure>
        <Figure name="Return" direction={growth ? (growth < 0 ? 'down' : 'up') : undefined}>
          {growth === null ? 'n/a' : percentWords(growth)}
        </Figure>
        <Figure name="Holds">
          {run.positions.length === 0
            ? 'Nothing'
            : run.positions
                .map(({ symbol, amount }) => `${Number(amount.toPrecision(6))} ${symbol.split('/')[0]}`)
                .join(', ')}
        </Figure>
        <Figure name="Your limits">{limitWords(run.limits) || 'Its capital'}</Figure>
        {Object.keys(run.parameters).length > 0 && (
          <Figure name="Parameters">
            {Object.entries(run.parameters)
              .map(([name, value]) => `${name} ${value}`)
              .join(', ')}
          </Figure>
        )}
        <Figure name="Refused">{run.refused_count}</Figure>
        <Figure name="Last bar">{run.last_bar === null ? 'Waiting for the first' : minuteWords(run.last_bar)}</Figure>
        {run.next_decision !== null && <Figure name="Next decision">{minuteWords(run.next_decision)}</Figure>}
      </dl>
      <Group gap="xs" mt="xs">
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => setOpened(opened === 'decisions' ? null : 'decisions')}
          aria-expanded={opened === 'decisions'}
        >
          {opened === 'decisions' ? 'Hide decisions' : 'Show decisions'}
        </Button>
        {comparison && (
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => setOpened(opened === 'comparison' ? null : 'comparison')}
            aria-expanded={opened === 'comparison'}
          >
            {opened === 'comparison' ? 'Hide the backtest' : 'Compare with a backtest'}
          </Button>
        )}
      </Group>
      {opened === 'decisions' && <Decisions runId={run.id} read={decisions} />}
      {opened === 'comparison' && comparison}
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

const limitWords = ({ max_order, max_loss }: StrategyRunView['limits']) =>
  [
    ...(max_order === undefined ? [] : [`${moneyWords(max_order)} an order`]),
    ...(max_loss === undefined ? [] : [`stops at a loss of ${Math.round(max_loss * 100)}\u00a0%`]),
  ].join(', ');

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

function Decisions({ runId, read }: { runId: string; read: RunCardProps['decisions'] }) {
  const [page, setPage] = useState(1);
  const { data } = useQuery({
    queryKey: [...api.strategies.decisions.key(), runId, page],
    queryFn: () => read(page),
    placeholderData: keepPreviousData,
  });
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
      <ScrollTable
        scrollLabel="List of decisions"
        label="Decisions"
        columns={['Bar', 'Market', 'Order', 'Amount', words('Why'), words('What became of it')]}
      >
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
      </ScrollTable>
      <Pager page={page} pages={pages} onChange={setPage} />
    </>
  );
}
