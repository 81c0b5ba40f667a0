import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { messageOf } from '../../../platform/api-error.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { Page } from '../../../ui/page.tsx';
import { RetryButton } from '../../../ui/problem.tsx';
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
    <Page title="Reports" description="Publications for paper: PDF, pictures and print." width="wide">
      <SearchField
        className={classes.search}
        label="Search reports"
        value={search.search}
        onSearch={(text) => void navigate({ to: '/reports', search: { search: text || undefined }, replace: true })}
      />
      {list.error ? (
        <div className={classes.empty} role="alert">
          <Text c="dimmed">{messageOf(list.error)}</Text>
          <RetryButton onClick={() => void list.refetch()} />
        </div>
      ) : list.data?.entries.length === 0 ? (
        <Empty search={search} />
      ) : (
        <ReportList reports={list.data?.entries} />
      )}
      {list.data && list.data.total > reportsOnPage && <Paging search={search} total={list.data.total} />}
    </Page>
  );
}

function Empty({ search: { search } }: { search: ReportsSearch }) {
  return (
    <div className={classes.empty}>
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
    </div>
  );
}

function Paging({ search, total }: { search: ReportsSearch; total: number }) {
  const page = search.page ?? 0;
  const last = Math.max(0, Math.ceil(total / reportsOnPage) - 1);
  const go = (to: number) => ({ to: '/reports' as const, search: { ...search, page: to || undefined } });
  return (
    <nav aria-label="Pages" className={classes.paging}>
      {page > 0 && (
        <LinkButton variant="default" size="xs" {...go(page - 1)}>
          Previous
        </LinkButton>
      )}
      Page {page + 1} of {last + 1}
      {page < last && (
        <LinkButton variant="default" size="xs" {...go(page + 1)}>
          Next
        </LinkButton>
      )}
    </nav>
  );
}
