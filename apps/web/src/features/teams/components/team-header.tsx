import type { TeamDetail } from '@atoll/contract/teams/entity';
import { Badge, Button, Group, Popover, Stack, Text, Textarea, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { LinkButton } from '../../../ui/links.tsx';
import { Markdown } from '../../../ui/markdown/markdown.tsx';
import { useSession } from '../../session/queries.ts';
import { discoveryWords, statusWords } from '../model.ts';
import { useCancelRequest, useJoinTeam, useLeaveTeam, useRequestToJoin } from '../mutations.ts';
import { TeamMark } from '../team-mark.tsx';
import classes from '../teams.module.css';

export function TeamHeader({ team, invite }: { team: TeamDetail; invite?: string }) {
  const { icon: Icon, label, text } = discoveryWords[team.discovery];
  const status = statusWords[team.membership_status];
  return (
    <header className={classes.head}>
      <TeamMark team={team} size={64} />
      <div className={classes.words}>
        <Title order={1}>{team.name}</Title>
        <div className={classes.facts}>
          <Icon size={15} stroke={1.6} aria-hidden />
          <span title={text}>{label} team</span>
          {status && <Badge color="gray">{status}</Badge>}
          {team.contact_email && <a href={`mailto:${team.contact_email}`}>{team.contact_email}</a>}
        </div>
      </div>
      <Group gap="sm">
        <Acts team={team} invite={invite} />
      </Group>
      {team.description && (
        <div className={classes.about}>
          <Markdown text={team.description} />
        </div>
      )}
    </header>
  );
}

/** The one thing that can be done about being in it. */
function Acts({ team, invite }: { team: TeamDetail; invite?: string }) {
  const session = useSession();
  const join = useJoinTeam();
  const cancel = useCancelRequest();
  if (session.is_guest)
    return (
      <LinkButton to="/sign-in" search={{ return_to: `/teams/${team.id}${invite ? `?invite=${invite}` : ''}` }}>
        Sign in to join
      </LinkButton>
    );
  if (team.is_invited)
    return (
      <Button loading={join.isPending} onClick={() => join.mutate({ id: team.id, invite })}>
        Accept the invitation
      </Button>
    );
  if (team.membership_status === 'pending' && team.join_request_id) {
    const requestId = team.join_request_id;
    return (
      <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ id: team.id, requestId })}>
        Cancel request
      </Button>
    );
  }
  if (team.membership_status === 'not_member') return <Ask team={team} />;
  return team.membership_status === 'owner' ? null : <Leave team={team} />;
}

function Ask({ team }: { team: TeamDetail }) {
  const ask = useRequestToJoin();
  const [reason, setReason] = useState('');
  if (team.discovery === 'private') return null;
  if (!team.is_join_approvable)
    return (
      <Button loading={ask.isPending} onClick={() => ask.mutate({ id: team.id })}>
        Join
      </Button>
    );
  return (
    <Popover width={320} position="bottom-end" trapFocus>
      <Popover.Target>
        <Button>Request to join</Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={8}>
          <Textarea
            label="Reason"
            placeholder="Optional, shown to the team’s admins"
            autosize
            minRows={3}
            maxRows={8}
            maxLength={1_000}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Button loading={ask.isPending} onClick={() => ask.mutate({ id: team.id, reason })}>
            Send request
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Somebody else has to let one in again, so it takes a second press. */
function Leave({ team }: { team: TeamDetail }) {
  const navigate = useNavigate();
  const leave = useLeaveTeam();
  const [isSure, setSure] = useState(false);
  return (
    <Group gap={8}>
      {isSure && (
        <Text size="sm" c="dimmed" role="status">
          You lose access to projects shared with the team.
        </Text>
      )}
      <Button
        variant={isSure ? 'filled' : 'default'}
        color="danger"
        loading={leave.isPending}
        onBlur={() => setSure(false)}
        onClick={() =>
          isSure ? leave.mutate({ id: team.id }, { onSuccess: () => void navigate({ to: '/teams' }) }) : setSure(true)
        }
      >
        {isSure ? 'Leave team' : 'Leave'}
      </Button>
    </Group>
  );
}
