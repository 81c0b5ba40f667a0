import type { ActionLog } from '@atoll/contract/admin/entity';
import { Text } from '@mantine/core';
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LinkButton } from '../../../ui/links.tsx';
import { Page } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import classes from '../components/admin.module.css';
import { AdminTable, CsvButton, More, SearchTool } from '../components/list-parts.tsx';
import { actionWords, changeLines, type LogSearch } from '../model.ts';
import { PersonCell } from '../people/person-cell.tsx';
import { actionLogCsv, actionLogQuery } from '../queries.ts';
import entryClasses from './action-log-page.module.css';

export function ActionLogPage({ search }: { search: LogSearch }) {
  const log = useInfiniteQuery(actionLogQuery(search));
  const navigate = useNavigate();
  const change = (update: LogSearch) =>
    void navigate({ to: '/admin/action-log', search: { ...search, ...update }, replace: true });
  return (
    <Page
      title="Action log"
      description="What admins did. Entries can be neither changed nor deleted."
      width="wide"
      actions={<CsvButton href={actionLogCsv(search)} />}
    >
      <div className={classes.tools}>
        <SearchTool
          label="Search the action log"
          placeholder="Action or reason"
          value={search.search}
          onSearch={(value) => change({ search: value || undefined })}
        />
        {(search.subject_id || search.actor_id) && (
          <LinkButton to="/admin/action-log" variant="default">
            Show everyone’s
          </LinkButton>
        )}
      </div>
      <LogEntries log={log} />
    </Page>
  );
}

export function LogEntries({ log }: { log: UseInfiniteQueryResult<InfiniteData<{ entries: ActionLog[] }>> }) {
  return (
    <>
      <AdminTable
        label="Action log"
        entries={log.data?.pages.flatMap(({ entries }) => entries)}
        list={log}
        empty={<Text c="dimmed">Nothing is recorded here yet.</Text>}
        columns={[
          { label: 'When', cell: ({ created_at }) => <When time={created_at} /> },
          {
            label: 'Who',
            cell: ({ actor }) => <PersonCell person={actor} />,
            detail: ({ masked_as }) => masked_as && `as @${masked_as.user_name}`,
          },
          {
            label: 'What',
            cell: (entry) => (
              <>
                {actionWords(entry.action)}
                {entry.subject.name && <span className={classes.detail}>{entry.subject.name}</span>}
                {entry.reason && <span className={classes.detail}>“{entry.reason}”</span>}
                <ul className={entryClasses.changes}>
                  {changeLines(entry).map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </>
            ),
          },
        ]}
      />
      <More list={log} />
    </>
  );
}
