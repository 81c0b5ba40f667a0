import type { PortfolioDetail, PortfolioEntry } from '@atoll/contract/portfolios/entity';
import { portfolioEntryKinds } from '@atoll/contract/portfolios/values';
import { ActionIcon, NativeSelect, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../../platform/client.ts';
import { useForm } from '../../../ui/form.ts';
import { FormProblem, SubmitButton } from '../../../ui/form-parts.tsx';
import { toastError } from '../../../ui/toast.ts';
import { amountWords, priceWords } from '../../trading/model.ts';
import { kindWords } from '../model.ts';
import { entriesQuery } from '../queries.ts';
import classes from './portfolios.module.css';

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const number = (value: string) => (/^\d+(\.\d+)?$/.test(value.trim()) ? null : 'Enter a number');
const optional = (value: string) => (value.trim() === '' ? null : number(value));

/** What was paid in, out, bought and sold outside of the connected exchanges. */
export function EntryList({ portfolio }: { portfolio: PortfolioDetail }) {
  const { data } = useQuery(entriesQuery(portfolio.id, 1));
  if (!portfolio.can_edit && data?.total === 0) return null;
  return (
    <section className={classes.panel} aria-label="Entries by hand">
      <h2>Entered by hand</h2>
      {portfolio.can_edit && <EntryForm portfolio={portfolio} />}
      {data?.entries.length === 0 && (
        <Text size="sm" c="dimmed">
          Enter deposits, withdrawals and trades that no connection knows of.
        </Text>
      )}
      <ul className={classes.entries}>
        {data?.entries.map((entry) => (
          <EntryItem key={entry.id} entry={entry} portfolio={portfolio} />
        ))}
      </ul>
    </section>
  );
}

function EntryItem({ entry, portfolio }: { entry: PortfolioEntry; portfolio: PortfolioDetail }) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => client.portfolios.deleteEntry({ id: portfolio.id, entryId: entry.id }),
    onError: (error) => toastError(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.portfolios.key() }),
  });
  const words = `${kindWords[entry.kind]} ${amountWords(entry.amount)} ${entry.asset}`;
  return (
    <li>
      <span>
        {words}
        {entry.asset !== portfolio.trade_asset && ` at ${priceWords(entry.price)}`}
        <span
          className={classes.dim}
        >{` · ${day.format(new Date(entry.at))}${entry.note ? ` · ${entry.note}` : ''}`}</span>
      </span>
      {portfolio.can_edit && (
        <ActionIcon aria-label={`Delete ${words}`} loading={remove.isPending} onClick={() => remove.mutate()}>
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </li>
  );
}

function EntryForm({ portfolio }: { portfolio: PortfolioDetail }) {
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { kind: 'deposit', asset: portfolio.trade_asset, amount: '', price: '', at: '' },
    checks: { amount: number, price: optional },
    submit: async ({ kind, asset, amount, price, at }) => {
      await client.portfolios.addEntry({
        id: portfolio.id,
        kind: kind as PortfolioEntry['kind'],
        ...{ asset, amount: amount.trim() },
        ...(price.trim() ? { price: price.trim() } : {}),
        ...(at ? { at: new Date(at).toISOString() } : {}),
      });
      form.setValues((now) => ({ ...now, amount: '', price: '' }));
      await queryClient.invalidateQueries({ queryKey: api.portfolios.key() });
    },
  });
  const needsPrice = form.values.asset.trim().toUpperCase() !== portfolio.trade_asset;
  return (
    <form className={classes.entryForm} aria-label="New entry" onSubmit={form.send} noValidate>
      <NativeSelect
        label="Kind"
        data={portfolioEntryKinds.map((value) => ({ value, label: kindWords[value] }))}
        {...form.text('kind')}
      />
      <TextInput label="Asset" {...form.text('asset')} />
      <TextInput label="Amount" inputMode="decimal" {...form.text('amount')} />
      {needsPrice && (
        <TextInput label={`Price, ${portfolio.trade_asset}`} inputMode="decimal" {...form.text('price')} />
      )}
      <TextInput label="Date" type="date" {...form.text('at')} />
      <SubmitButton pending={form.pending} variant="default">
        Add entry
      </SubmitButton>
      <FormProblem problem={form.problem} />
    </form>
  );
}
