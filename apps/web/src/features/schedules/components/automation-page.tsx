import type { Schedule } from '@atoll/contract/schedules/entity';
import { personName } from '@atoll/contract/users/names';
import { Button, Menu, NativeSelect, Skeleton, Text } from '@mantine/core';
import {
  IconCalendarClock,
  IconEyeCheck,
  IconHistory,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { DotsMenu } from '../../../ui/buttons/dots-menu.tsx';
import { EmptyState, LoadProblem } from '../../../ui/empty-state.tsx';
import { LinkButton } from '../../../ui/links.tsx';
import { Page } from '../../../ui/page.tsx';
import { PageLinks } from '../../../ui/page-links.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { When } from '../../../ui/when.tsx';
import { useSession } from '../../session/queries.ts';
import { type AutomationSearch, reviewWords, rhythmWords, timeIn, zoneWords } from '../model.ts';
import { subjectOf, useDeleteSchedule, usePause, useRunNow } from '../mutations.ts';
import { schedulesOnPage, schedulesQuery } from '../queries.ts';
import { FiringMark } from './firing-mark.tsx';
import classes from './schedules.module.css';

const ScheduleDialog = lazyPart(() => import('../schedule-dialog.tsx'), 'ScheduleDialog');
const ReviewDialog = lazyPart(() => import('./review-dialog.tsx'), 'ReviewDialog');
const FiringsDialog = lazyPart(() => import('./firings-dialog.tsx'), 'FiringsDialog');

const states = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
  { value: 'failing', label: 'Failing' },
];
const icon = { size: 15, stroke: 1.6 };

type Part = 'edit' | 'history' | 'review';

/** Everything that runs by itself in one's name, or in one's projects. */
export function AutomationPage({ search }: { search: AutomationSearch }) {
  const list = useQuery(schedulesQuery(search));
  const [opened, setOpened] = useState<{ part: Part; schedule: Schedule } | null>(null);
  const close = () => setOpened(null);
  return (
    <Page title="Automation" description="Runs and publications that happen at set times" width="wide">
      <Tools search={search} />
      {list.error && !list.data ? (
        <LoadProblem error={list.error} onRetry={list.refetch} />
      ) : list.data?.entries.length === 0 ? (
        <Empty search={search} />
      ) : (
        <ul className={classes.list} aria-label="Schedules" aria-busy={list.isFetching}>
          {list.data
            ? list.data.entries.map((schedule) => (
                <ScheduleRow key={schedule.id} schedule={schedule} onOpen={(part) => setOpened({ part, schedule })} />
              ))
            : [1, 2, 3].map((shape) => (
                <li key={shape} className={classes.row}>
                  <Skeleton height={40} />
                </li>
              ))}
        </ul>
      )}
      {list.data && (
        <PageLinks
          label="Pages of schedules"
          page={search.page ?? 1}
          first={1}
          size={schedulesOnPage}
          total={list.data.total}
        />
      )}
      <Suspense>
        {opened?.part === 'edit' && <ScheduleDialog subject={subjectOf(opened.schedule)} onClose={close} />}
        {opened?.part === 'review' && <ReviewDialog schedule={opened.schedule} onClose={close} />}
        {opened?.part === 'history' && <FiringsDialog schedule={opened.schedule} onClose={close} />}
      </Suspense>
    </Page>
  );
}

function Tools({ search }: { search: AutomationSearch }) {
  const navigate = useNavigate();
  const change = (update: AutomationSearch) =>
    void navigate({ to: '/automation', search: { ...search, page: undefined, ...update }, replace: true });
  return (
    <div className={classes.tools}>
      <SearchField
        className={classes.search}
        label="Search schedules"
        placeholder="Project, file or publication"
        value={search.search}
        onSearch={(text) => change({ search: text || undefined })}
      />
      <NativeSelect
        aria-label="Which schedules"
        data={states}
        value={search.state ?? ''}
        onChange={(event) => change({ state: (event.currentTarget.value || undefined) as AutomationSearch['state'] })}
      />
    </div>
  );
}

function Empty({ search }: { search: AutomationSearch }) {
  if (search.search || search.state)
    return (
      <EmptyState>
        <Text c="dimmed">No schedules match.</Text>
        <LinkButton to="/automation" variant="default">
          Show all
        </LinkButton>
      </EmptyState>
    );
  return (
    <EmptyState>
      <IconCalendarClock size={32} stroke={1.3} aria-hidden />
      <Text c="dimmed" maw={440}>
        Nothing is scheduled. Open a notebook and choose “Schedule…” in its menu to run it at set times, or schedule a
        publication to keep it up to date.
      </Text>
      <LinkButton to="/projects" variant="default">
        Open a project
      </LinkButton>
    </EmptyState>
  );
}

function ScheduleRow({ schedule, onOpen }: { schedule: Schedule; onOpen(part: Part): void }) {
  const { project, file, publication, owner, last_firing: last } = schedule;
  const session = useSession();
  const pause = usePause(schedule);
  const start = useRunNow(schedule);
  const remove = useDeleteSchedule(schedule.id);
  const name = publication?.title ?? project.name;
  return (
    <li className={classes.row} aria-label={name}>
      <div className={classes.what}>
        <Link to="/projects/$projectId" params={{ projectId: project.id }} search={{ file: file.id }}>
          {name}
        </Link>
        <span className={classes.detail}>
          {publication ? 'Publication' : file.name}
          {owner.id !== session.id && ` · as ${personName(owner)}`}
        </span>
      </div>
      <div className={classes.when}>
        <span>{rhythmWords(schedule)}</span>
        <span className={classes.detail}>
          {schedule.review ? (
            reviewWords(schedule.review)
          ) : !schedule.enabled ? (
            schedule.paused_reason ? (
              'Paused after three failures in a row'
            ) : schedule.type === 'one_off' && last ? (
              'Done'
            ) : (
              'Paused'
            )
          ) : schedule.next_run_at ? (
            <>
              Next <When time={schedule.next_run_at} /> · {timeIn(schedule.next_run_at, schedule.time_zone)}
              {zoneWords(schedule.time_zone)}
            </>
          ) : null}
        </span>
      </div>
      <div className={classes.result}>
        {last ? (
          <>
            <FiringMark firing={last} />
            <span className={classes.detail}>{last.reason ?? <When time={last.started_at} />}</span>
          </>
        ) : (
          <span className={classes.detail}>Has not run yet</span>
        )}
      </div>
      <div className={classes.acts}>
        {schedule.review && owner.id === session.id ? (
          <Button size="compact-sm" leftSection={<IconEyeCheck size={14} />} onClick={() => onOpen('review')}>
            {schedule.review.is_stopped ? 'Review changes and resume' : 'Review changes'}
          </Button>
        ) : (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlayerPlay size={14} />}
            loading={start.isPending}
            disabled={last?.state === 'running'}
            onClick={() => start.mutate()}
          >
            Run now
          </Button>
        )}
        <DotsMenu label={`Actions for ${name}`} size={28} width={200}>
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onOpen('edit')}>
            Edit
          </Menu.Item>
          <Menu.Item
            leftSection={schedule.enabled ? <IconPlayerPause {...icon} /> : <IconRefresh {...icon} />}
            disabled={pause.isPending}
            onClick={pause.toggle}
          >
            {schedule.enabled ? 'Pause' : 'Resume'}
          </Menu.Item>
          <Menu.Item leftSection={<IconHistory {...icon} />} onClick={() => onOpen('history')}>
            Past runs
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconTrash {...icon} />} color="danger" onClick={() => remove.mutate()}>
            Delete
          </Menu.Item>
        </DotsMenu>
      </div>
    </li>
  );
}
