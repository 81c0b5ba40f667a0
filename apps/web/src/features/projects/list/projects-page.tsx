import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { SectionSkeleton } from '../../../ui/section-skeleton.tsx';
import { useSession } from '../../session/queries.ts';
import { DropZone } from '../drop-zone.tsx';
import { isBin } from '../model.ts';
import { NewProjectButton } from '../new/new-project-button.tsx';
import { ProjectCards } from '../project-cards.tsx';
import { offersQuery, projectListQuery } from '../queries.ts';
import { EmptyList, ListFailure } from './empty-list.tsx';
import { ListPaging } from './list-paging.tsx';
import { ListTabs, useProjectTabs } from './list-tabs.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import { ProjectTable } from './project-table.tsx';
import classes from './projects-page.module.css';
import { type ListState, useListSearch } from './use-list-search.ts';

const OfferList = lazyPart(() => import('../offers/offer-list.tsx'), 'OfferList');
const ListFilters = lazyPart(() => import('./list-filters.tsx'), 'ListFilters');

export function ProjectsPage() {
  const state = useListSearch();
  const { search } = state;
  const { id: me } = useSession();
  const offers = useQuery(offersQuery).data?.entries.filter(({ to }) => to.id === me) ?? [];
  const other = useProjectTabs().find(({ id }) => id === search.tab);
  return (
    <DropZone>
      <div className={classes.page}>
        <header className={classes.header}>
          <Title order={1}>{isBin(search) ? 'Bin' : 'Projects'}</Title>
          <ListTabs {...state} />
          <NewProjectButton />
        </header>
        {offers.length > 0 && (
          <Suspense>
            <OfferList offers={offers} />
          </Suspense>
        )}
        {other?.component ? (
          <Suspense fallback={<SectionSkeleton />}>
            <other.component />
          </Suspense>
        ) : (
          <ProjectList {...state} />
        )}
      </div>
    </DropZone>
  );
}

function ProjectList(state: ListState) {
  const { search } = state;
  const list = useQuery(projectListQuery(search));
  const entries = list.data?.entries;
  const List = search.view === 'table' ? ProjectTable : ProjectCards;
  return (
    <>
      <ListToolbar {...state} />
      {search.is_filtering && (
        <Suspense fallback={<div className={classes.filterSpace} />}>
          <ListFilters {...state} />
        </Suspense>
      )}
      <section
        aria-label="List of projects"
        aria-busy={list.isFetching}
        data-stale={list.isPlaceholderData || undefined}
        className={classes.list}
      >
        {list.error ? (
          <ListFailure error={list.error} onRetry={() => list.refetch()} />
        ) : entries?.length === 0 ? (
          <EmptyList {...state} />
        ) : (
          <List {...state} projects={entries} />
        )}
      </section>
      {list.data && list.data.total > 0 && <ListPaging {...state} total={list.data.total} />}
    </>
  );
}
