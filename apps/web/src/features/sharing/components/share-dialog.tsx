import type { Visibility } from '@atoll/contract/projects/access';
import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { TextLink } from '../../../ui/links.tsx';
import { MoreButton } from '../../../ui/lists/more-button.tsx';
import { NothingHere, Rows } from '../../../ui/rows.tsx';
import { toastError } from '../../../ui/toast.ts';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { useUpdateProject } from '../../projects/mutations.ts';
import { visibilityText, visibilityWords } from '../../projects/visibility-mark.tsx';
import { useSession } from '../../session/queries.ts';
import { projectAddress } from '../model.ts';
import { countCopiedLink } from '../mutations.ts';
import { grantsQuery, teamGrantsQuery } from '../queries.ts';
import { RequestAccess } from '../request-access.tsx';
import { Activity } from './activity.tsx';
import { AddPeople } from './add-people.tsx';
import { GrantRow, TeamGrantRow } from './grant-row.tsx';
import { LeaveButton } from './leave-button.tsx';
import { LinkSharing } from './link-sharing.tsx';
import { OwnerRow } from './person-row.tsx';
import classes from './sharing.module.css';
import { InviteRows, RequestRows } from './waiting-rows.tsx';

/** With whom, and what they may do; the link for everybody who may see it anyway. */
export function ShareDialog({ project, onClose }: { project: ProjectDetail; onClose: () => void }) {
  const session = useSession();
  const isNarrow = useIsNarrow();
  const canShare = project.permissions.includes('share') && !session.is_guest;
  return (
    <Modal opened onClose={onClose} title={`Share “${project.name}”`} size="lg" fullScreen={isNarrow}>
      <Stack>
        {canShare ? <People project={project} /> : <NotYours project={project} isGuest={session.is_guest} />}
        {canShare && <LinkSharing project={project} />}
        <Foot project={project} />
      </Stack>
    </Modal>
  );
}

function People({ project }: { project: ProjectDetail }) {
  const list = useInfiniteQuery(grantsQuery(project.id));
  const [isUnfolded, setUnfolded] = useState(false);
  const teams = useQuery(teamGrantsQuery(project.id)).data?.entries ?? [];
  const grants = list.data?.pages.flatMap((page) => page.entries) ?? [];
  const taken = [project.owner.id, ...grants.map((grant) => grant.user.id), ...teams.map((grant) => grant.team.id)];
  return (
    <>
      <AddPeople project={project} taken={taken} />
      <RequestRows project={project} />
      <Rows label="People with access">
        <OwnerRow person={project.owner} />
        {teams.map((grant) => (
          <TeamGrantRow key={grant.id} project={project} grant={grant} />
        ))}
        {grants.map((grant) => (
          <GrantRow key={grant.id} project={project} grant={grant} />
        ))}
        <InviteRows project={project} />
      </Rows>
      <MoreButton list={list} />
      {list.error && <NothingHere>{messageOf(list.error)}</NothingHere>}
      <details className={classes.activity} onToggle={(event) => setUnfolded(event.currentTarget.open)}>
        <summary>Activity</summary>
        {isUnfolded && <Activity project={project} />}
      </details>
    </>
  );
}

function NotYours({ project, isGuest }: { project: ProjectDetail; isGuest: boolean }) {
  return (
    <>
      <Text size="sm">
        {isGuest && project.permissions.includes('share') ? (
          <>
            <TextLink to="/sign-up">Create an account</TextLink> to share this project.
          </>
        ) : (
          `Only ${project.owner.user_name} can share this project. The link works for people who already have access.`
        )}
      </Text>
      <Rows label="People with access">
        <OwnerRow person={project.owner} />
      </Rows>
      {!isGuest && !project.permissions.includes('edit') && <RequestAccess project={project} />}
      {project.user_permission_id && <LeaveButton project={project} permissionId={project.user_permission_id} />}
    </>
  );
}

/** The link, and what it opens for those who are named nowhere above. */
function Foot({ project }: { project: ProjectDetail }) {
  const update = useUpdateProject();
  const shown = update.isPending ? (update.variables.visibility ?? project.visibility) : project.visibility;
  const { label, icon: Icon } = visibilityWords[shown];
  const who = visibilityText(shown, project.hides_source);
  const canOpen = project.permissions.includes('share') && project.permissions.includes('edit');
  return (
    <div className={classes.foot}>
      <Icon size={18} stroke={1.6} aria-hidden />
      <div className={classes.visibility}>
        {canOpen ? (
          <NativeSelect
            size="xs"
            aria-label="General access"
            className={classes.open}
            data={Object.entries(visibilityWords).map(([value, words]) => ({ value, label: words.label }))}
            value={shown}
            onChange={(event) =>
              update.mutate(
                { id: project.id, visibility: event.currentTarget.value as Visibility },
                { onError: (error) => toastError(error, 'Could not change general access') },
              )
            }
          />
        ) : (
          <strong>{label}</strong>
        )}
        <Text size="sm" c="dimmed">
          {who}
        </Text>
      </div>
      <CopyButton value={projectAddress(project.id)} label="Copy link" onCopied={() => countCopiedLink(project.id)} />
    </div>
  );
}
