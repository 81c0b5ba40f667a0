import type { AdminUserDetail } from '@atoll/contract/admin/entity';
import { personName } from '@atoll/contract/users/names';
import { Badge, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../../../platform/client.ts';
import { LoadProblem } from '../../../ui/empty-state.tsx';
import { Page, Panel } from '../../../ui/page.tsx';
import { NothingHere, Row, Rows } from '../../../ui/rows.tsx';
import { When } from '../../../ui/when.tsx';
import { formatSize } from '../../files/model.ts';
import { stateWords } from '../model.ts';
import { useAdminButton } from '../mutations.ts';
import { LogEntries } from '../operations/action-log-page.tsx';
import { actionLogQuery, userQuery } from '../queries.ts';
import { UserAccess } from './user-access.tsx';
import { UserActions } from './user-actions.tsx';
import { UserFeatures, UserLimits } from './user-features.tsx';
import page from './user-page.module.css';
import { UserWallet } from './user-wallet.tsx';

export function UserPage({ userId }: { userId: string }) {
  const { data, error, refetch } = useQuery(userQuery(userId));
  if (data) return <Account key={data.id} user={data} />;
  return (
    <Page title="Account" width="wide">
      {error ? <LoadProblem isLarge error={error} onRetry={refetch} /> : <Skeleton height={240} />}
    </Page>
  );
}

function Account({ user }: { user: AdminUserDetail }) {
  const facts: [string, React.ReactNode][] = [
    [
      'User name',
      <Link key="name" to="/users/$username" params={{ username: user.user_name }}>{`@${user.user_name}`}</Link>,
    ],
    ['E-mail', user.email ? `${user.email}${user.is_email_confirmed ? '' : ' (not confirmed)'}` : 'None'],
    ['Signed up', <When key="signed" time={user.created_at} />],
    ['Active', <When key="active" time={user.active_at} />],
    ['Projects', `${user.projects_count}, ${formatSize(user.files_bytes)} of files`],
    ['Teams', user.teams_count],
    ['API keys', user.api_keys_count],
    ['Running kernels', user.kernels_count],
    ['Units', user.balance.toLocaleString('en')],
    ['Came from', user.user_source ?? (user.referred_by ? `Referral ${user.referred_by}` : '–')],
    ['Id', user.id],
  ];
  return (
    <Page
      title={personName(user)}
      width="wide"
      description={
        <>
          <Link to="/admin/users">Users</Link> · {user.plan.title} · {user.role === 'admin' ? 'Admin' : 'User'}{' '}
          {user.state !== 'active' && (
            <Badge color={user.state === 'suspended' ? 'danger' : 'gray'}>{stateWords[user.state]}</Badge>
          )}
        </>
      }
    >
      <Stack>
        {user.suspension && user.state === 'suspended' && (
          <Panel title="Suspended">
            <Text size="sm">
              <When time={user.suspension.suspended_at} />: {user.suspension.message}
            </Text>
          </Panel>
        )}
        <Panel title="Account">
          <dl className={page.facts}>
            {facts.map(([label, value]) => (
              <div key={label} style={{ display: 'contents' }}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </Panel>
        {user.state !== 'deleted' && (
          <>
            <UserActions user={user} />
            <UserAccess user={user} />
            <Sessions user={user} />
            <UserLimits user={user} />
            <UserFeatures user={user} />
            <UserWallet userId={user.id} />
          </>
        )}
        <History userId={user.id} />
      </Stack>
    </Page>
  );
}

function Sessions({ user }: { user: AdminUserDetail }) {
  const end = useAdminButton(
    (session_id: string | undefined) => client.admin.endSessions({ id: user.id, session_id }),
    'Could not end the session',
  );
  return (
    <Panel
      title="Sessions"
      aside={
        user.sessions.length > 1 && (
          <Button variant="default" size="xs" onClick={() => end.mutate(undefined)}>
            End all
          </Button>
        )
      }
    >
      {user.sessions.length === 0 ? (
        <NothingHere>Not signed in anywhere.</NothingHere>
      ) : (
        <Rows label="Sessions">
          {user.sessions.map((session) => (
            <Row
              key={session.id}
              title={session.masked_by ? `${personName(session.masked_by)}, acting as this person` : session.user_agent}
              detail={
                <>
                  {session.ip} · {session.method} · <When time={session.last_seen_at} />
                </>
              }
              action={
                <Button variant="default" size="xs" onClick={() => end.mutate(session.id)}>
                  End
                </Button>
              }
            />
          ))}
        </Rows>
      )}
    </Panel>
  );
}

function History({ userId }: { userId: string }) {
  const log = useInfiniteQuery(actionLogQuery({ subject_id: userId }, 10));
  return (
    <Panel
      title="Action log"
      aside={
        <Link to="/admin/action-log" search={{ subject_id: userId }}>
          Show all
        </Link>
      }
    >
      <LogEntries log={log} />
    </Panel>
  );
}
