import type { Schedule } from '@atoll/contract/schedules/entity';
import { personName } from '@atoll/contract/users/names';
import { Button, Group, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { api } from '../../../platform/client.ts';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { When } from '../../../ui/when.tsx';
import { VersionsDialog } from '../../files/lazy-versions.ts';
import { useAcceptReview } from '../mutations.ts';
import classes from './schedules.module.css';

type Change = NonNullable<Schedule['review']>['changes'][number];

/** What others have changed since the owner of a schedule last looked at it. */
export function ReviewDialog({ schedule, onClose }: { schedule: Schedule; onClose(): void }) {
  const isNarrow = useIsNarrow();
  const [compared, setCompared] = useState<Change | null>(null);
  const accept = useAcceptReview(schedule);
  const { changes = [], is_stopped: isStopped = false } = schedule.review ?? {};
  return (
    <Modal
      opened
      onClose={onClose}
      title="Review changes"
      size="lg"
      fullScreen={isNarrow}
      closeOnEscape={compared === null}
    >
      <Text size="sm">
        {changes.length === 0
          ? 'You have looked at all changes since.'
          : `Others changed these files since you last looked at them. ${isStopped ? 'The schedule has stopped' : 'The schedule stops at its next time'} until you accept the changes: it runs in your name${schedule.with_secrets ? ', with your secrets' : ''}.`}
      </Text>
      <ul className={classes.firings} aria-label="Changes">
        {changes.map((change) => (
          <li key={`${change.file.id} ${change.user?.id}`}>
            <Link
              to="/projects/$projectId"
              params={{ projectId: schedule.project.id }}
              search={{ file: change.file.id }}
            >
              {change.file.name}
            </Link>
            <div className={classes.detail}>
              {change.user ? personName(change.user) : 'Code that ran in this project'},{' '}
              <When time={change.changed_at} />
            </div>
            <Button size="compact-sm" variant="default" onClick={() => setCompared(change)}>
              Compare
            </Button>
          </li>
        ))}
      </ul>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={accept.isPending} onClick={() => accept.mutate(undefined, { onSuccess: onClose })}>
          {changes.length === 0 ? 'Resume' : isStopped ? 'Accept changes and resume' : 'Accept changes'}
        </Button>
      </Group>
      <Suspense>
        {compared && (
          <ComparedFile projectId={schedule.project.id} change={compared} onClose={() => setCompared(null)} />
        )}
      </Suspense>
    </Modal>
  );
}

/** As it is now beside the owner's own last version. */
function ComparedFile({ projectId, change, onClose }: { projectId: string; change: Change; onClose(): void }) {
  const about = { id: projectId, fileId: change.file.id };
  const { data: file } = useQuery(api.files.get.queryOptions({ input: about }));
  const { data: versions } = useQuery(api.files.versions.queryOptions({ input: { ...about, page: 1, page_size: 50 } }));
  const entries = versions?.entries ?? [];
  const first = entries.find(({ id }) => id === change.own_version_id) ?? entries[0];
  if (!file || !first) return null;
  return <VersionsDialog file={file} versions={entries} first={first} canEdit={false} onClose={onClose} />;
}
