import type { ReferralDashboard, ReferredPerson } from '@atoll/contract/referrals/entity';
import { Button, Group, Skeleton, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { AccountNeeded, LoadProblem } from '../../../ui/empty-state.tsx';
import { TextLink } from '../../../ui/links.tsx';
import { Figure } from '../../../ui/lists/figure.tsx';
import { Page, Panel } from '../../../ui/page.tsx';
import figures from '../../../ui/styles/figures.module.css';
import { When } from '../../../ui/when.tsx';
import { useSession } from '../../session/queries.ts';
import { unitWords } from '../../wallet/model.ts';
import { dashboardQuery, referredPeopleQuery } from '../queries.ts';
import { QrCode } from './qr-code.tsx';
import classes from './referrals.module.css';

/** One's link, who came by it, and what that brought. */
export function ReferralsPage() {
  const { is_guest } = useSession();
  return (
    <Page title="Referrals" description="Invite people by a link of your own." width="wide">
      {is_guest ? <AccountNeeded>Create an account to have a link.</AccountNeeded> : <Dashboard />}
    </Page>
  );
}

function Dashboard() {
  const { data, error, refetch } = useQuery(dashboardQuery);
  if (error && !data) return <LoadProblem error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={280} />;
  return (
    <>
      <section className={classes.head} aria-label="Your link">
        <QrCode text={data.url} label="QR code of your link" className={classes.code} />
        <div className={classes.link}>
          <Text>{offer(data)}</Text>
          <LinkField label="Your link" url={data.url} />
          {data.codes
            .filter(({ enabled }) => enabled)
            .map(({ id, code, url }) => (
              <LinkField key={id} label={`Link with the code ${code}`} url={url} />
            ))}
          <dl className={figures.totals}>
            <Figure name="People">{data.people.toLocaleString('en')}</Figure>
            <Figure name="Matched">{data.people_matched.toLocaleString('en')}</Figure>
            <Figure name="Earned">{unitWords(data.units_earned)}</Figure>
          </dl>
        </div>
      </section>
      <People />
    </>
  );
}

function offer({ invited_units, inviter_units }: ReferralDashboard): string {
  const invited =
    invited_units > 0 ? `People who create an account by your link get ${unitWords(invited_units)}. ` : '';
  const inviter = inviter_units > 0 ? `You get ${unitWords(inviter_units)} for each of them.` : '';
  return `${invited}${inviter}` || 'Share your link with people you work with.';
}

function LinkField({ label, url }: { label: string; url: string }) {
  return (
    <div className={classes.field}>
      <TextInput label={label} value={url} readOnly onFocus={(event) => event.currentTarget.select()} />
      <CopyButton value={url} label="Copy link" />
    </div>
  );
}

function People() {
  const [page, setPage] = useState(1);
  const { data, isFetching } = useQuery(referredPeopleQuery(page));
  return (
    <Panel title="People" description="Those who created an account by a link of yours.">
      {!data ? (
        <Skeleton height={80} />
      ) : data.entries.length === 0 ? (
        <Text c="dimmed">No one yet. Copy your link, or let people scan the code.</Text>
      ) : (
        <ul className={classes.people} aria-busy={isFetching}>
          {data.entries.map((person) => (
            <PersonRow key={`${person.date} ${person.user?.id ?? ''}`} person={person} />
          ))}
        </ul>
      )}
      {data && data.total > data.page_size && (
        <Group mt="md" gap="sm">
          <Button variant="default" size="xs" disabled={page === 1} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={page * data.page_size >= data.total}
            onClick={() => setPage(page + 1)}
          >
            Older
          </Button>
        </Group>
      )}
    </Panel>
  );
}

const reasons: Record<NonNullable<ReferredPerson['reason']>, string> = {
  own_code: 'Your own account',
  known_device: 'A device that was used before',
  ended_account: 'The account was cancelled',
  ended_code: 'The code had ended',
};

function PersonRow({ person: { user, state, reason, units, date } }: { person: ReferredPerson }) {
  const what =
    state === 'matched'
      ? `+${unitWords(units)}`
      : state === 'waiting'
        ? 'Waits for the confirmed address'
        : `Not counted: ${reason ? reasons[reason].toLowerCase() : ''}`;
  return (
    <li>
      <span>
        {user ? (
          <TextLink to="/users/$username" params={{ username: user.user_name }}>
            {user.user_name}
          </TextLink>
        ) : (
          'A person with a private profile'
        )}
      </span>
      <span data-state={state}>{what}</span>
      <span className={classes.date}>
        <When time={date} />
      </span>
    </li>
  );
}
