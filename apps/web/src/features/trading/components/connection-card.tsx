import type { ExchangeConnection } from '@atoll/contract/trading/entity';
import { type ExchangeType, exchangeInfo } from '@atoll/contract/trading/values';
import { Alert, Button, Group, Menu, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconHandStop } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { api, client } from '../../../platform/client.ts';
import { LinkButton, TextLink } from '../../../ui/links.tsx';
import { toast, toastError } from '../../../ui/toast.ts';
import { EnvironmentBadge } from '../environment-badge.tsx';
import { amountWords, priceWords } from '../model.ts';
import { balanceQuery } from '../queries.ts';
import { ArmDialog } from './arm-dialog.tsx';
import { LimitsDialog } from './limits-dialog.tsx';
import classes from './trading.module.css';

type Open = 'limits' | 'arm' | 'reset' | 'delete' | 'halt' | null;

const stateText = { active: 'Active', reducing: 'Selling only', halted: 'Halted' } as const;

/** One connection: whose money, what is owned, and what may be done with it. */
export function ConnectionCard({ connection }: { connection: ExchangeConnection }) {
  const { id, type, environment, label, key_hint, state, state_reason, is_armed, problem } = connection;
  const [open, setOpen] = useState<Open>(null);
  const { name } = exchangeInfo[type];
  const act = useConnectionActs(id);
  const close = () => setOpen(null);
  return (
    <article className={classes.connection} aria-label={label || name} data-state={state}>
      <header className={classes.connectionHead}>
        <h2>{label || name}</h2>
        <EnvironmentBadge environment={environment} />
        {key_hint && <Text size="sm" c="dimmed">{`Key …${key_hint}`}</Text>}
        <span className={classes.state} data-state={state}>
          {stateText[state]}
        </span>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="subtle" size="compact-sm" aria-label={`More about ${label || name}`}>
              <IconDots size={16} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setOpen('limits')}>Limits</Menu.Item>
            {environment === 'live' && (
              <Menu.Item onClick={() => (is_armed ? act.mutate('disarm') : setOpen('arm'))}>
                {is_armed ? 'Disarm' : 'Arm'}
              </Menu.Item>
            )}
            {state === 'active' && <Menu.Item onClick={() => act.mutate('reduce')}>Only sell</Menu.Item>}
            {type === 'demo' && <Menu.Item onClick={() => setOpen('reset')}>Reset the demo</Menu.Item>}
            {type !== 'demo' && (
              <Menu.Item color="danger" onClick={() => setOpen('delete')}>
                Delete connection
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </header>
      {problem && <Alert color="warning">{problem}</Alert>}
      {!is_armed && (
        <Alert color="warning">
          Orders with real money are not allowed yet.{' '}
          <Button variant="light" color="warning" size="compact-sm" onClick={() => setOpen('arm')}>
            Arm
          </Button>
        </Alert>
      )}
      <Balances connectionId={id} type={type} />
      <Group component="footer" gap="sm">
        <LinkButton
          to="/exchanges"
          search={{ tab: 'markets', ...(type === 'demo' ? {} : { exchange: type }) }}
          size="xs"
        >
          Trade
        </LinkButton>
        {state === 'active' ? (
          <Button variant="default" size="xs" leftSection={<IconHandStop size={14} />} onClick={() => setOpen('halt')}>
            Halt
          </Button>
        ) : (
          <Button variant="default" size="xs" loading={act.isPending} onClick={() => act.mutate('resume')}>
            Resume
          </Button>
        )}
        {state_reason && (
          <Text size="sm" c="dimmed">
            {state_reason}
          </Text>
        )}
      </Group>
      {open === 'limits' && <LimitsDialog connection={connection} onClose={close} />}
      {open === 'arm' && <ArmDialog connection={connection} onClose={close} />}
      <Confirm
        isOpen={open === 'halt'}
        title={`Halt ${label || name}`}
        text="All open orders are canceled and no more are taken, also from strategies, until you resume. What you own stays."
        action="Halt trading"
        onClose={close}
        onConfirm={() => act.mutateAsync('halt')}
      />
      <Confirm
        isOpen={open === 'reset'}
        title="Reset the demo"
        text="Open orders are canceled and you have 10,000 USDT again. The history stays."
        action="Reset"
        onClose={close}
        onConfirm={() => act.mutateAsync('reset')}
      />
      <Confirm
        isOpen={open === 'delete'}
        title={`Delete ${label || name}`}
        text="Open orders are canceled and the key is deleted. Your history stays. Delete the key at the exchange too."
        action="Delete connection"
        onClose={close}
        onConfirm={() => act.mutateAsync('delete')}
      />
    </article>
  );
}

type Act = 'halt' | 'resume' | 'reduce' | 'reset' | 'disarm' | 'delete';

function useConnectionActs(id: string) {
  const queryClient = useQueryClient();
  const calls: Record<Act, () => Promise<unknown>> = {
    halt: () => client.trading.halt({ id }),
    resume: () => client.trading.resume({ id }),
    reduce: () => client.trading.resume({ id, state: 'reducing' }),
    reset: () => client.trading.reset({ id }),
    disarm: () => client.trading.disarm({ id }),
    delete: () => client.trading.disconnect({ id }),
  };
  const said: Record<Act, string> = {
    halt: 'Trading halted. Open orders are canceled.',
    resume: 'Orders are taken again.',
    reduce: 'Only orders that sell are taken.',
    reset: 'The demo starts with 10,000 USDT again.',
    disarm: 'No more orders with real money.',
    delete: 'Connection deleted.',
  };
  return useMutation({
    mutationFn: (act: Act) => calls[act](),
    onSuccess: (_result, act) => toast(said[act]),
    onError: (error) => toastError(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.trading.key() }),
  });
}

function Confirm(props: {
  isOpen: boolean;
  title: string;
  text: string;
  action: string;
  onClose(): void;
  onConfirm(): Promise<unknown>;
}) {
  const [isPending, { open, close }] = useDisclosure(false);
  const confirm = async () => {
    open();
    await props.onConfirm().then(props.onClose, () => {});
    close();
  };
  return (
    <Modal opened={props.isOpen} onClose={props.onClose} title={props.title}>
      <Stack>
        <Text>{props.text}</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button color="danger" loading={isPending} onClick={() => void confirm()}>
            {props.action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const shown = 4;

function Balances({ connectionId, type }: { connectionId: string; type: ExchangeType }) {
  const { data, error } = useQuery(balanceQuery(connectionId));
  if (error && !data)
    return (
      <Text size="sm" c="dimmed" role="alert">
        {messageOf(error)}
      </Text>
    );
  if (!data) return <Skeleton height={60} />;
  return (
    <div className={classes.balances}>
      <div className={classes.total}>
        <strong>{priceWords(data.total)}</strong> {data.quote}
      </div>
      <ul>
        {data.entries.slice(0, shown).map(({ asset, free, used, value }) => (
          <li key={asset}>
            {asset === data.quote ? (
              <span>{asset}</span>
            ) : (
              <TextLink to="/tokens/$id" params={{ id: `${type}-${asset}` }} c="inherit">
                {asset}
              </TextLink>
            )}
            <span>{amountWords(String(Number(free) + Number(used)))}</span>
            <span className={classes.dim}>{value === null ? '' : priceWords(value)}</span>
          </li>
        ))}
      </ul>
      {data.entries.length > shown && <Text size="sm" c="dimmed">{`and ${data.entries.length - shown} more`}</Text>}
    </div>
  );
}
