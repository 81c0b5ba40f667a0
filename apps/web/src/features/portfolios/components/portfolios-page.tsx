import '@mantine/core/styles/Checkbox.layer.css';
import type { PortfolioSummary } from '@atoll/contract/portfolios/entity';
import { exchangeInfo } from '@atoll/contract/trading/values';
import { Button, Checkbox, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client } from '../../../platform/client.ts';
import { required } from '../../../ui/checks.ts';
import { AccountNeeded, EmptyState, LoadProblem } from '../../../ui/empty-state.tsx';
import { useForm } from '../../../ui/form.ts';
import { Form, FormProblem, SubmitButton } from '../../../ui/form-parts.tsx';
import { Page } from '../../../ui/page.tsx';
import cards from '../../../ui/styles/cards.module.css';
import { useSession } from '../../session/queries.ts';
import { EnvironmentBadge } from '../../trading/environment-badge.tsx';
import { connectionsQuery } from '../../trading/queries.ts';
import { metricWords, moneyWords, percentWords } from '../model.ts';
import { portfoliosQuery } from '../queries.ts';
import classes from './portfolios.module.css';

export function PortfoliosPage() {
  const { is_guest } = useSession();
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Page
      title="Portfolios"
      description="What you own, over all exchanges and by hand: its value, its returns, and how far it is from your targets."
      width="wide"
      actions={
        !is_guest && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setIsCreating(true)}>
            Create portfolio
          </Button>
        )
      }
    >
      {is_guest ? (
        <AccountNeeded>Create an account to have portfolios.</AccountNeeded>
      ) : (
        <PortfolioList onCreate={() => setIsCreating(true)} />
      )}
      {isCreating && <CreateDialog onClose={() => setIsCreating(false)} />}
    </Page>
  );
}

function PortfolioList({ onCreate }: { onCreate(): void }) {
  const { data, error, refetch } = useQuery(portfoliosQuery);
  if (error && !data) return <LoadProblem error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={140} />;
  if (data.entries.length === 0)
    return (
      <EmptyState>
        <Text c="dimmed">No portfolio yet. Create one from your demo account to see how it does.</Text>
        <Button variant="default" onClick={onCreate}>
          Create portfolio
        </Button>
      </EmptyState>
    );
  return (
    <ul className={cards.cards} aria-label="Portfolios">
      {data.entries.map((portfolio) => (
        <Card key={portfolio.id} portfolio={portfolio} />
      ))}
    </ul>
  );
}

function Card({ portfolio }: { portfolio: PortfolioSummary }) {
  const { id, name, environment, total, trade_asset, change_1d, is_yours, owner } = portfolio;
  return (
    <li className={cards.written}>
      <Link to="/portfolios/$id" params={{ id }} className={classes.cardLink}>
        <span className={classes.cardName}>{name}</span>
        <EnvironmentBadge environment={environment} />
      </Link>
      <strong className={classes.total}>
        {moneyWords(total)} <span>{trade_asset}</span>
      </strong>
      <span data-direction={(change_1d.value ?? 0) < 0 ? 'down' : 'up'} title={change_1d.reason ?? undefined}>
        {metricWords(change_1d, percentWords)} <span className={classes.dim}>1 day</span>
      </span>
      {!is_yours && <Text size="sm" c="dimmed">{`Shared by ${owner.first_name || owner.user_name}`}</Text>}
    </li>
  );
}

function CreateDialog({ onClose }: { onClose(): void }) {
  const { data } = useQuery(connectionsQuery);
  const [chosen, setChosen] = useState<string[]>([]);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { name: '' },
    checks: { name: required('A name') },
    submit: async ({ name }) => {
      const made = await client.portfolios.create({ name, connection_ids: chosen });
      await queryClient.invalidateQueries({ queryKey: api.portfolios.key() });
      await navigate({ to: '/portfolios/$id', params: { id: made.id } });
    },
  });
  return (
    <Modal opened onClose={onClose} title="Create portfolio">
      <Form form={form}>
        <TextInput label="Name" data-autofocus maxLength={120} {...form.text('name')} />
        <Checkbox.Group
          label="Connections"
          description="Without one, you enter what you own by hand."
          value={chosen}
          onChange={setChosen}
        >
          <Stack gap="xs" mt="xs">
            {data?.entries.map(({ id, type, label, environment }) => (
              <Checkbox
                key={id}
                value={id}
                label={
                  <>
                    {label || exchangeInfo[type].name} <EnvironmentBadge environment={environment} />
                  </>
                }
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <FormProblem problem={form.problem} />
        <SubmitButton pending={form.pending}>Create</SubmitButton>
      </Form>
    </Modal>
  );
}
