import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { EmptyState, LoadProblem } from '../../../ui/empty-state.tsx';
import { LinkButton } from '../../../ui/links.tsx';
import { Page } from '../../../ui/page.tsx';
import { PageLinks } from '../../../ui/page-links.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import type { ReportsSearch } from '../model.ts';
import { reportListQuery, reportsOnPage } from '../queries.ts';
import classes from './report.module.css';
import { ReportList } from './report-list.tsx';

/** Every report one may read: publications with print settings. */
export function ReportsPage({ search }: { search: ReportsSearch }) {
  const list = useQuery(reportListQuery(search));
  const navigate = useNavigate();
  return (
    <Page title="Reports" description="Printable versions of publications" width="wide">
      <SearchField
        className={classes.search}
        label="Search reports"
        value={search.search}
        onSearch={(text) => void navigate({ to: '/reports', search: { search: text || undefined }, replace: true })}
      />
      {list.error ? (
        <LoadProblem isLarge error={list.error} onRetry={list.refetch} />
      ) : list.data?.entries.length === 0 ? (
        <Empty search={search} />
      ) : (
        <ReportList reports={list.data?.entries} />
      )}
      {list.data && <PageLinks page={search.page ?? 0} size={reportsOnPage} total={list.data.total} />}
    </Page>
  );
}

function Empty({ search: { search } }: { search: ReportsSearch }) {
  return (
    <EmptyState isLarge>
      <Text c="dimmed" maw={440}>
        {search
          ? `No reports match “${search}”.`
          : 'No reports yet. Open a publication of yours and choose Report to set how it is printed.'}
      </Text>
      {search ? (
        <LinkButton to="/reports" search={{}} variant="default">
          Show all reports
        </LinkButton>
      ) : (
        <LinkButton to="/projects" search={{ tab: 'publications' } as never}>
          Go to your publications
        </LinkButton>
      )}
    </EmptyState>
  );
}
