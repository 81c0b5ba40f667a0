import type { AdminJob } from '@atoll/contract/admin/entity';
import { Badge, Button, NativeSelect, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { Page } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import classes from '../components/admin.module.css';
import { AdminTable, CsvButton, More } from '../components/list-parts.tsx';
import { type JobsSearch, jobStates } from '../model.ts';
import { useAdminAct, useAdminButton } from '../mutations.ts';
import { PersonCell } from '../people/person-cell.tsx';
import { ReasonDialog } from '../people/reason-dialog.tsx';
import { jobsQuery, listCsv } from '../queries.ts';

const colours: Record<string, string> = { failed: 'danger', succeeded: 'success', running: 'primary' };

export function JobsPage({ search }: { search: JobsSearch }) {
  const list = useInfiniteQuery(jobsQuery(search));
  const navigate = useNavigate();
  const [canceled, setCanceled] = useState<AdminJob | null>(null);
  const retry = useAdminButton((id: string) => client.admin.retryJob({ id }), 'Could not try it again', 'Queued again');
  const cancel = useAdminAct(
    ({ id, reason }: { id: string; reason: string }) => client.admin.cancelJob({ id, reason }),
    'Job canceled',
  );
  const change = (update: JobsSearch) =>
    void navigate({ to: '/admin/jobs', search: { ...search, ...update }, replace: true });
  const isEnded = ({ state }: AdminJob) => state !== 'queued' && state !== 'running';
  return (
    <Page
      title="Jobs"
      description="Background work of all servers, newest first"
      width="wide"
      actions={<CsvButton href={listCsv('jobs', search)} />}
    >
      <div className={classes.tools}>
        <NativeSelect
          aria-label="State"
          data={[{ value: '', label: 'All states' }, ...jobStates]}
          value={search.state ?? ''}
          onChange={(event) => change({ state: (event.currentTarget.value || undefined) as JobsSearch['state'] })}
        />
        <NativeSelect
          aria-label="Kind"
          data={[{ value: '', label: 'All kinds' }, ...(list.data?.pages[0]?.kinds ?? [])]}
          value={search.kind ?? ''}
          onChange={(event) => change({ kind: event.currentTarget.value || undefined })}
        />
      </div>
      <AdminTable
        label="Jobs"
        entries={list.data?.pages.flatMap(({ entries }) => entries)}
        list={list}
        empty={<Text c="dimmed">No jobs match.</Text>}
        columns={[
          { label: 'Job', cell: ({ kind }) => kind, detail: ({ reason, message }) => reason ?? message },
          {
            label: 'State',
            cell: ({ state }) => <Badge color={colours[state] ?? 'gray'}>{state}</Badge>,
            detail: ({ attempts }) => attempts > 1 && `${attempts} attempts`,
          },
          { label: 'Of', cell: ({ owner }) => <PersonCell person={owner} /> },
          { label: 'Created', cell: ({ created_at }) => <When time={created_at} /> },
          {
            label: 'Ended',
            cell: ({ ended_at, due_at }) =>
              ended_at ? (
                <When time={ended_at} />
              ) : (
                <>
                  due <When time={due_at} />
                </>
              ),
          },
          {
            label: 'Actions',
            type: 'actions',
            cell: (job) =>
              isEnded(job) ? (
                job.state !== 'succeeded' && (
                  <Button variant="default" size="xs" onClick={() => retry.mutate(job.id)}>
                    Try again
                  </Button>
                )
              ) : (
                <Button variant="default" size="xs" onClick={() => setCanceled(job)}>
                  Cancel
                </Button>
              ),
          },
        ]}
      />
      <More list={list} />
      {canceled && (
        <ReasonDialog
          title={`Cancel ${canceled.kind}`}
          label="Reason"
          action="Cancel job"
          isDangerous
          onClose={() => setCanceled(null)}
          submit={(reason) => cancel.mutateAsync({ id: canceled.id, reason })}
        >
          What it has done so far stays. It can be tried again later.
        </ReasonDialog>
      )}
    </Page>
  );
}
