import type { PublicationDetail } from '@atoll/contract/publications/entity';
import { Button, Menu, Modal } from '@mantine/core';
import {
  IconChevronDown,
  IconConfetti,
  IconConfettiFilled,
  IconCopy,
  IconHistory,
  IconPencil,
  IconPlayerPlay,
  IconReport,
  IconShare,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { isAbort } from '../../../platform/api-error.ts';
import { client } from '../../../platform/client.ts';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { toast, toastError } from '../../../ui/toast.ts';
import { When } from '../../../ui/when.tsx';
import { useSession } from '../../session/queries.ts';
import { counted, hasReport, parseReading, readingRoute, reportRoute } from '../model.ts';
import { useClap, useCloneOf, useRunCopy } from '../mutations.ts';
import { publicationVersionsQuery } from '../queries.ts';
import { RunCopy } from '../run-copy.tsx';
import classes from './reading.module.css';

const PublishDialog = lazyPart(() => import('../publish-dialog.tsx'), 'PublishDialog');

const small = { size: 'xs', variant: 'default' } as const;
const icon = { size: 15, stroke: 1.6, 'aria-hidden': true } as const;

export function ReaderActions({ publication }: { publication: PublicationDetail }) {
  const { permissions, project, file_id } = publication;
  const [isEditing, setEditing] = useState(false);
  const clone = useCloneOf(publication);
  const run = useRunCopy(publication);
  const { run: comesToRun } = parseReading(useSearch({ strict: false }));
  const navigate = useNavigate();
  const stay = () =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, run: undefined }), replace: true });
  return (
    <div className={classes.actions}>
      <Clap publication={publication} />
      <Share publication={publication} />
      {publication.version_number > 1 && <Versions publication={publication} />}
      {hasReport(publication.content_kind) && (
        <LinkButton
          {...small}
          to={reportRoute(publication.content_kind)}
          params={{ slug: publication.slug }}
          leftSection={<IconReport {...icon} />}
        >
          Report
        </LinkButton>
      )}
      {permissions.includes('view_source') && (
        <LinkButton
          {...small}
          to="/projects/$projectId"
          params={{ projectId: project.id }}
          search={{ file: file_id ?? undefined }}
        >
          Open project
        </LinkButton>
      )}
      {permissions.includes('execute') && (
        <Button
          {...small}
          leftSection={<IconPlayerPlay {...icon} />}
          loading={run.isPending}
          title="Opens a copy of your own that runs within your quota"
          onClick={() => run.mutate()}
        >
          Run a copy
        </Button>
      )}
      {permissions.includes('clone') && (
        <Button
          {...small}
          leftSection={<IconCopy {...icon} />}
          loading={clone.isPending}
          onClick={() => clone.mutate()}
        >
          Clone
        </Button>
      )}
      {permissions.includes('edit') && file_id && (
        <Button
          {...small}
          leftSection={<IconPencil {...icon} />}
          aria-haspopup="dialog"
          onClick={() => setEditing(true)}
        >
          Edit
        </Button>
      )}
      {comesToRun && permissions.includes('execute') && (
        <Modal opened title={`Run “${publication.title}”`} onClose={stay}>
          <RunCopy
            hasProjectFiles={publication.execution_copy_project_files}
            isPending={run.isPending}
            onRun={() => run.mutate()}
          />
        </Modal>
      )}
      <Suspense>
        {isEditing && file_id && (
          <PublishDialog projectId={project.id} fileId={file_id} onClose={() => setEditing(false)} />
        )}
      </Suspense>
    </div>
  );
}

function Clap({ publication }: { publication: PublicationDetail }) {
  const { has_clapped, clap_count } = publication;
  const session = useSession();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const clap = useClap(publication);
  const words = <span aria-live="polite">{clap_count > 0 ? clap_count.toLocaleString('en') : 'Clap'}</span>;
  if (session.is_guest)
    return (
      <LinkButton
        {...small}
        to="/sign-in"
        search={{ return_to: path }}
        aria-label={`Sign in to clap, ${counted(clap_count, 'clap')}`}
        leftSection={<IconConfetti {...icon} />}
      >
        {words}
      </LinkButton>
    );
  const Icon = has_clapped ? IconConfettiFilled : IconConfetti;
  return (
    <Button
      {...small}
      variant={has_clapped ? 'light' : 'default'}
      aria-label={`Clap, ${counted(clap_count, 'clap')}`}
      aria-pressed={has_clapped}
      leftSection={<Icon {...icon} />}
      onClick={() => clap.mutate(!has_clapped)}
    >
      {words}
    </Button>
  );
}

/** The dialog of the device where there is one, else the link is copied. */
function Share({ publication: { id, title, path } }: { publication: PublicationDetail }) {
  const share = async () => {
    const url = location.origin + path;
    try {
      if (navigator.share) await navigator.share({ title, url });
      else {
        await navigator.clipboard.writeText(url);
        toast('Link copied.');
      }
      await client.publications.countStat({ id, stat_name: 'share' });
    } catch (error) {
      if (!isAbort(error)) toastError(error, 'Could not share the link');
    }
  };
  return (
    <Button {...small} leftSection={<IconShare {...icon} />} onClick={() => void share()}>
      Share
    </Button>
  );
}

function Versions({ publication: { id, slug, content_kind, shown_version } }: { publication: PublicationDetail }) {
  const [isOpen, setOpen] = useState(false);
  const versions = useQuery({ ...publicationVersionsQuery(id), enabled: isOpen }).data?.entries ?? [];
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-start">
      <Menu.Target>
        <Button {...small} leftSection={<IconHistory {...icon} />} rightSection={<IconChevronDown size={13} />}>
          Versions
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.versions}>
        {versions.map(({ number, created_at, is_current }) => (
          <Menu.Item
            key={number}
            renderRoot={(props) => (
              <Link
                {...props}
                to={readingRoute(content_kind)}
                params={{ slug }}
                search={is_current ? {} : { version: number }}
                aria-current={number === shown_version.number ? 'true' : undefined}
              />
            )}
          >
            Version {number}
            {is_current && ' (shown)'}, <When time={created_at} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
