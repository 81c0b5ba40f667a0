import { type SharingPreset, sharingPresets } from '@atoll/contract/projects/access';
import type { Project } from '@atoll/contract/projects/entity';
import type { AccessRequest, ProjectInvite } from '@atoll/contract/sharing/endpoints';
import { personName } from '@atoll/contract/users/names';
import { Button, NativeSelect, Text } from '@mantine/core';
import { IconMail, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Rows } from '../../../ui/rows.tsx';
import { When } from '../../../ui/when.tsx';
import people from '../../people/people.module.css';
import { PersonLine } from '../../people/person-line.tsx';
import { offeredPresets, presetWords, roleOf } from '../model.ts';
import { useAnswerAccess, useRemoveInvite } from '../mutations.ts';
import { invitesQuery, requestsQuery } from '../queries.ts';
import classes from './sharing.module.css';

/** Who asks to come in. */
export function RequestRows({ project }: { project: Project }) {
  const { data } = useQuery(requestsQuery(project.id));
  if (!data?.entries.length) return null;
  return (
    <section className={classes.waiting}>
      <h3>Access requests</h3>
      <Rows label="Access requests">
        {data.entries.map((request) => (
          <RequestRow key={request.id} project={project} request={request} />
        ))}
      </Rows>
    </section>
  );
}

function RequestRow({ project, request }: { project: Project; request: AccessRequest }) {
  const presets = offeredPresets(project.permissions);
  const [chosen, setChosen] = useState<SharingPreset>('viewer');
  const answer = useAnswerAccess(project.id);
  const name = personName(request.user);
  const give = (isApproved: boolean) =>
    answer.mutate({
      requestId: request.id,
      isApproved,
      permissions: presets.includes(chosen) ? [...sharingPresets[chosen]] : ['view'],
    });
  return (
    <li className={classes.row}>
      <PersonLine person={request.user} isLink detail={<When time={request.created_at} />} />
      {request.reason && <p className={classes.reason}>{request.reason}</p>}
      <div className={classes.answer}>
        {presets.length > 0 && (
          <NativeSelect
            size="xs"
            className={classes.role}
            aria-label={`Role for ${name}`}
            data={presets.map((each) => ({ value: each, label: presetWords[each].label }))}
            value={chosen}
            onChange={(event) => setChosen(event.currentTarget.value as SharingPreset)}
          />
        )}
        <Button size="xs" variant="default" disabled={answer.isPending} onClick={() => give(false)}>
          Decline
        </Button>
        <Button size="xs" loading={answer.isPending && answer.variables.isApproved} onClick={() => give(true)}>
          Approve
        </Button>
      </div>
    </li>
  );
}

/** Who was invited by mail and has no account yet. */
export function InviteRows({ project }: { project: Project }) {
  const { data } = useQuery(invitesQuery(project.id));
  return data?.entries.map((invite) => <InviteRow key={invite.id} project={project} invite={invite} />);
}

function InviteRow({ project, invite }: { project: Project; invite: ProjectInvite }) {
  const remove = useRemoveInvite(project.id);
  const role = roleOf(invite.permissions);
  if (remove.isPending) return null;
  return (
    <li className={classes.row}>
      <div className={people.line}>
        <span className={classes.mail} aria-hidden>
          <IconMail size={16} stroke={1.6} />
        </span>
        <div className={people.names}>
          <div className={people.name}>{invite.email}</div>
          <Text size="sm" c="dimmed">
            Invited <When time={invite.created_at} />,{' '}
            {role === 'custom' ? 'custom permissions' : presetWords[role].label}
          </Text>
        </div>
        <IconButton
          label={`Remove ${invite.email}`}
          tip="Cancel invitation"
          size={28}
          onClick={() => remove.mutate(invite.id)}
        >
          <IconX size={16} stroke={1.6} />
        </IconButton>
      </div>
    </li>
  );
}
