import type { BalanceEntry } from '@atoll/contract/wallet/entity';
import { walletKinds } from '@atoll/contract/wallet/values';
import { Button, Group, NativeSelect, Skeleton, Text, TextInput } from '@mantine/core';
import { IconDownload, IconWallet } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { AccountNeeded, EmptyState, LoadProblem } from '../../../ui/empty-state.tsx';
import { LinkButton } from '../../../ui/links.tsx';
import { MoreButton } from '../../../ui/lists/more-button.tsx';
import { TableHead, WaitingRows } from '../../../ui/lists/table.tsx';
import { Page } from '../../../ui/page.tsx';
import lists from '../../../ui/styles/lists.module.css';
import { useSession } from '../../session/queries.ts';
import { kindWords, unitWords, type WalletSearch, walletFilterOf } from '../model.ts';
import { csvUrl, walletQuery } from '../queries.ts';
import { BuyUnits } from './buy-units.tsx';
import { PurchaseStatus } from './purchase-status.tsx';
import { RedeemForm } from './redeem-form.tsx';
import { TransferForm } from './transfer-form.tsx';
import classes from './wallet.module.css';

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const kinds = [{ value: '', label: 'All kinds' }, ...walletKinds.map((value) => ({ value, label: kindWords[value] }))];

/** What there is to spend, and where it came from and went. */
export function WalletPage({ search }: { search: WalletSearch }) {
  const { is_guest } = useSession();
  return (
    <Page title="Wallet" description="Units pay for plans and execution time. 1 unit is 1 US cent." width="wide">
      {is_guest ? <AccountNeeded>Create an account to have a wallet.</AccountNeeded> : <Wallet search={search} />}
    </Page>
  );
}

function Wallet({ search }: { search: WalletSearch }) {
  const list = useInfiniteQuery(walletQuery(search));
  const [first] = list.data?.pages ?? [];
  const entries = list.data?.pages.flatMap((page) => page.entries);
  if (list.error && !first) return <LoadProblem error={list.error} onRetry={list.refetch} />;
  return (
    <>
      {search.purchase && <PurchaseStatus id={search.purchase} search={search} />}
      <div className={classes.head}>
        <section className={classes.balance} aria-label="Balance">
          <span>Balance</span>
          {first ? <strong>{unitWords(first.balance)}</strong> : <Skeleton height={36} width={160} />}
          {first && first.reserved > 0 && <span>{unitWords(first.reserved)} reserved for AI answers in progress</span>}
          <Group gap="sm">
            <LinkButton to="/pricing" variant="default" size="xs">
              See plans
            </LinkButton>
            <LinkButton to="/usage" variant="default" size="xs">
              See usage
            </LinkButton>
          </Group>
        </section>
        <section className={classes.redeem} aria-label="Add units">
          <BuyUnits />
          <RedeemForm />
          {first && <TransferForm kept={first.unbounded_balance} />}
        </section>
      </div>
      <Tools search={search} />
      {entries?.length === 0 ? (
        <Empty search={search} />
      ) : (
        <div className={lists.scroll}>
          <table className={classes.entries} aria-busy={list.isFetching}>
            <TableHead columns={['Date', 'Entry', 'Amount', 'Balance']} />
            <tbody>
              {entries ? (
                entries.map((entry) => <EntryRow key={entry.id} entry={entry} />)
              ) : (
                <WaitingRows columns={4} rows={3} height={20} />
              )}
            </tbody>
          </table>
        </div>
      )}
      <MoreButton list={list} size="xs" mt={12}>
        Show older entries
      </MoreButton>
    </>
  );
}

function EntryRow({ entry: { kind, note, amount, balance, date } }: { entry: BalanceEntry }) {
  return (
    <tr>
      <td>
        <time dateTime={date}>{day.format(new Date(date))}</time>
      </td>
      <td>
        {kindWords[kind]}
        {note && <span className={classes.note}>{note}</span>}
      </td>
      <td data-type={amount > 0 ? 'credit' : 'debit'}>
        {amount > 0 ? '+' : '−'}
        {Math.abs(amount).toLocaleString('en')}
      </td>
      <td>{balance.toLocaleString('en')}</td>
    </tr>
  );
}

function Tools({ search }: { search: WalletSearch }) {
  const navigate = useNavigate();
  const change = (update: WalletSearch) =>
    void navigate({ to: '/wallet', search: { ...search, ...update }, replace: true });
  return (
    <div className={classes.tools}>
      <NativeSelect
        label="Kind"
        data={kinds}
        value={search.kind ?? ''}
        onChange={(event) => change({ kind: (event.currentTarget.value || undefined) as WalletSearch['kind'] })}
      />
      <TextInput
        label="From"
        type="date"
        max={search.to}
        value={search.from ?? ''}
        onChange={(event) => change({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        label="To"
        type="date"
        min={search.from}
        value={search.to ?? ''}
        onChange={(event) => change({ to: event.currentTarget.value || undefined })}
      />
      <Button
        component="a"
        href={csvUrl(search)}
        download
        variant="default"
        leftSection={<IconDownload size={15} stroke={1.6} />}
      >
        Download CSV
      </Button>
    </div>
  );
}

function Empty({ search }: { search: WalletSearch }) {
  const isFiltered = Object.keys(walletFilterOf(search)).length > 0;
  return (
    <EmptyState>
      <IconWallet size={32} stroke={1.3} aria-hidden />
      <Text c="dimmed" maw={440}>
        {isFiltered ? 'No entries match.' : 'No entries yet. What you add and spend is listed here.'}
      </Text>
      {isFiltered && (
        <LinkButton to="/wallet" variant="default">
          Show all
        </LinkButton>
      )}
    </EmptyState>
  );
}
