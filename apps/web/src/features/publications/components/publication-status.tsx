import type { Publication } from '@atoll/contract/publications/entity';
import { personName } from '@atoll/contract/users/names';
import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { IconCircleCheck, IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { getRootPath } from '../../../platform/http.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { toast, toastError, toastWithUndo } from '../../../ui/toast.ts';
import { When } from '../../../ui/when.tsx';
import { saveAll } from '../../files/documents.ts';
import { projectQuery } from '../../projects/queries.ts';
import { useMaySchedule } from '../../schedules/schedule-item.tsx';
import { accessWords, counted, hasReport, reportRoute } from '../model.ts';
import { usePublish, useRestoreVersion } from '../mutations.ts';
import { publicationVersionsQuery } from '../queries.ts';
import classes from './publish.module.css';

const ScheduleDialog = lazyPart(() => import('../../schedules/schedule-dialog.tsx'), 'ScheduleDialog');

interface StatusProps {
  publication: Publication;
  fileId: string;
  hasChanges: boolean;
  /** It was published a moment ago. */
  isNew?: boolean;
}

/** What readers see now, and how to change which version that is. */
export function PublicationStatus({ publication, fileId, hasChanges, isNew = false }: StatusProps) {
  const { access_level, version_number, view_count, path, project } = publication;
  const maySchedule = useMaySchedule(useQuery(projectQuery(project.id)).data?.permissions);
  const [isScheduling, setScheduling] = useState(false);
  const [areVersionsShown, setVersionsShown] = useState(false);
  const publish = usePublish(fileId);
  const url = location.origin + getRootPath() + path;
  const update = async () => {
    try {
      await saveAll(project.id);
      const { version_number: number } = await publish.mutateAsync({ publish_version: true });
      toast(`Readers see version ${number} now.`);
    } catch (error) {
      toastError(error, 'Could not publish the newest version');
    }
  };
  const setAccess = (level: Publication['access_level'], then?: () => void) =>
    publish.mutate(
      { access_level: level },
      { onSuccess: then, onError: (error) => toastError(error, 'Could not change who can read it') },
    );
  const unpublish = () =>
    setAccess('draft', () =>
      toastWithUndo('Unpublished. The address is kept for this notebook.', () => setAccess(access_level)),
    );
  return (
    <section className={classes.status} aria-label="Published version" data-new={isNew || undefined}>
      {isNew && (
        <p className={classes.done} role="status">
          <IconCircleCheck size={20} stroke={1.6} aria-hidden />
          Published.
        </p>
      )}
      <p className={classes.statusLine}>
        <strong>{accessWords[access_level].label}</strong> · Version {version_number} · {counted(view_count, 'view')}
        <span className={classes.readers}>{accessWords[access_level].text}</span>
      </p>
      <div className={classes.address}>
        <a href={url} target="_blank" rel="noreferrer">
          {url}
          <IconExternalLink size={14} stroke={1.6} aria-label="(opens in a new tab)" />
        </a>
        <CopyButton value={url} label="Copy link" />
        <Button component="a" href={url} target="_blank" rel="noreferrer" variant="default" size="xs">
          Open
        </Button>
      </div>
      {hasChanges && (
        <Group gap="sm">
          <Text size="sm">The notebook has changed since this version.</Text>
          <Button size="xs" loading={publish.isPending} onClick={() => void update()}>
            Update to the newest version
          </Button>
        </Group>
      )}
      <Group>
        <UnstyledButton
          className={classes.unfold}
          aria-expanded={areVersionsShown}
          onClick={() => setVersionsShown((isShown) => !isShown)}
        >
          {areVersionsShown ? 'Hide versions' : 'Show versions'}
        </UnstyledButton>
        {maySchedule && (
          <UnstyledButton className={classes.unfold} aria-haspopup="dialog" onClick={() => setScheduling(true)}>
            Schedule…
          </UnstyledButton>
        )}
        {hasReport(publication.content_kind) && (
          <Link
            to={reportRoute(publication.content_kind)}
            params={{ slug: publication.slug }}
            className={classes.unfold}
          >
            Report and print settings
          </Link>
        )}
        <Button size="compact-xs" variant="subtle" color="danger" ml="auto" onClick={unpublish}>
          Unpublish
        </Button>
      </Group>
      <Suspense>
        {isScheduling && (
          <ScheduleDialog
            subject={{ projectId: project.id, publicationId: publication.id }}
            onClose={() => setScheduling(false)}
          />
        )}
      </Suspense>
      {areVersionsShown && <VersionList id={publication.id} />}
    </section>
  );
}

function VersionList({ id }: { id: string }) {
  const versions = useQuery(publicationVersionsQuery(id)).data?.entries ?? [];
  const restore = useRestoreVersion(id);
  return (
    <ul className={classes.versions} aria-label="Versions">
      {versions.map(({ number, created_at, author, is_current }) => (
        <li key={number}>
          <span>
            Version {number}, <When time={created_at} />
            {author && ` by ${personName(author)}`}
          </span>
          {is_current ? (
            <Text size="xs" c="dimmed">
              Shown
            </Text>
          ) : (
            <Button
              size="compact-xs"
              variant="default"
              loading={restore.isPending && restore.variables === number}
              onClick={() => restore.mutate(number)}
            >
              Show again
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
