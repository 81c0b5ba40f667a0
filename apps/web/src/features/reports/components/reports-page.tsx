import { CloseButton, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { Page } from '../../../ui/page.tsx';
import { RetryButton } from '../../../ui/problem.tsx';
import type { ReportsSearch } from '../model.ts';
import { reportListQuery, reportsOnPage } from '../queries.ts';
import classes from './report.module.css';
import { ReportList } from './report-list.tsx';

/** Every report one may read: publications with print settings. */
export function ReportsPage({ search }: { search: ReportsSearch }) {
  const list = useQuery(reportListQuery(search));
  return (
    <Page title="Reports" description="Publications for paper: PDF, pictures and print." width="wide">
      <Search search={search} />
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

function Search({ search }: { search: ReportsSearch }) {
  const navigate = useNavigate();
  const router = useRouter();
  const [here] = useState(() => router.latestLocation.pathname);
  const [text, setText] = useState(search.search ?? '');
  const apply = useDebouncedCallback((value: string) => {
    // Who has chosen a report meanwhile is on the way to it.
    if (router.latestLocation.pathname === here)
      void navigate({ to: '/reports', search: { search: value || undefined }, replace: true });
  }, 250);
  const write = (value: string) => {
    setText(value);
    apply(value);
  };
  return (
    <TextInput
      className={classes.search}
      type="search"
      aria-label="Search reports"
      placeholder="Search reports"
      leftSection={<IconSearch size={15} />}
      rightSection={text && <CloseButton size="sm" aria-label="Clear search" onClick={() => write('')} />}
      maxLength={200}
      value={text}
      onChange={({ currentTarget }) => write(currentTarget.value)}
    />
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
