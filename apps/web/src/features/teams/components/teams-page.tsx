import { Button, NativeSelect, Skeleton, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { EmptyState, LoadProblem } from '../../../ui/empty-state.tsx';
import { LinkButton } from '../../../ui/links.tsx';
import { Page } from '../../../ui/page.tsx';
import { PageLinks } from '../../../ui/page-links.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import cards from '../../../ui/styles/cards.module.css';
import tabs from '../../../ui/styles/tabs.module.css';
import { tabProps } from '../../../ui/tab-props.ts';
import { useSession } from '../../session/queries.ts';
import { type TeamsSearch, teamSorts, teamsOnPage } from '../model.ts';
import { teamsQuery } from '../queries.ts';
import { TeamCard } from '../team-card.tsx';
import classes from '../teams.module.css';

const NewTeamDialog = lazyPart(() => import('./new-team-dialog.tsx'), 'NewTeamDialog');

export function TeamsPage({ search }: { search: TeamsSearch }) {
  const session = useSession();
  const [isMaking, setMaking] = useState(false);
  const list = useQuery(teamsQuery(search));
  const makeButton = session.is_guest ? (
    <LinkButton to="/sign-up">Create an account to create a team</LinkButton>
  ) : (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
      New team
    </Button>
  );
  return (
    <Page title="Teams" width="wide" actions={makeButton}>
      <nav aria-label="Which teams" className={tabs.tabs}>
        <Link to="/teams" search={{}} {...tabProps(!search.mode)}>
          My teams
        </Link>
        <Link to="/teams" search={{ mode: 'discoverable' }} {...tabProps(search.mode === 'discoverable')}>
          Discover
        </Link>
      </nav>
      <Tools key={search.mode} search={search} />
      {list.error ? (
        <LoadProblem error={list.error} onRetry={list.refetch} />
      ) : list.data?.entries.length === 0 ? (
        <Empty search={search}>{makeButton}</Empty>
      ) : (
        <ul className={cards.cards} aria-busy={list.isFetching} aria-label="Teams">
          {list.data
            ? list.data.entries.map((team) => <TeamCard key={team.id} team={team} />)
            : [1, 2, 3, 4, 5, 6].map((shape) => (
                <li key={shape} className={cards.written}>
                  <Skeleton height={32} width="60%" />
                  <Skeleton height={36} />
                  <Skeleton height={16} width="40%" />
                </li>
              ))}
        </ul>
      )}
      {list.data && <PageLinks page={search.page ?? 0} size={teamsOnPage} total={list.data.total} />}
      <Suspense>{isMaking && <NewTeamDialog onClose={() => setMaking(false)} />}</Suspense>
    </Page>
  );
}

function Tools({ search }: { search: TeamsSearch }) {
  const navigate = useNavigate();
  const change = (update: TeamsSearch) =>
    void navigate({ to: '/teams', search: { ...search, page: undefined, ...update }, replace: true });
  return (
    <div className={classes.tools}>
      <SearchField
        className={classes.search}
        label="Search teams"
        placeholder="Search by name"
        maxLength={100}
        value={search.search}
        onSearch={(text) => change({ search: text || undefined })}
      />
      <NativeSelect
        aria-label="Sort by"
        data={Object.entries(teamSorts).map(([value, label]) => ({ value, label }))}
        value={search.sort_by ?? 'created_at'}
        onChange={(event) => change({ sort_by: event.currentTarget.value as TeamsSearch['sort_by'] })}
      />
    </div>
  );
}

function Empty({ search, children }: { search: TeamsSearch; children: ReactNode }) {
  if (search.search)
    return (
      <EmptyState isLarge>
        <Text c="dimmed">No teams match “{search.search}”.</Text>
        <LinkButton to="/teams" search={{ mode: search.mode }} variant="default">
          Clear search
        </LinkButton>
      </EmptyState>
    );
  return (
    <EmptyState isLarge>
      <Text c="dimmed" maw={440}>
        {search.mode ? 'No public teams yet.' : 'Projects shared with a team are shared with all its members.'}
      </Text>
      {children}
    </EmptyState>
  );
}
