import { givenTeamRoles } from '@atoll/contract/teams/access';
import type { TeamDetail, TeamInvite } from '@atoll/contract/teams/entity';
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { IconLink, IconMail, IconX } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { client } from '../../../platform/client.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { atMost, email } from '../../../ui/checks.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';
import { Panel } from '../../../ui/page.tsx';
import { NothingHere, Row, Rows } from '../../../ui/rows.tsx';
import { toast, toastError } from '../../../ui/toast.ts';
import { When } from '../../../ui/when.tsx';
import { roleWords } from '../model.ts';
import { useRemoveInvite, useTeamsRefresh } from '../mutations.ts';
import { teamInvitesQuery } from '../queries.ts';
import classes from '../teams.module.css';

type GivenRole = (typeof givenTeamRoles)[number];
const roles = [...givenTeamRoles].reverse().map((role) => ({ value: role, label: roleWords[role].label }));

export function TeamInvites({ team }: { team: TeamDetail }) {
  const { data, error } = useQuery(teamInvitesQuery(team.id));
  return (
    <>
      <MailForm team={team} />
      <LinkPanel team={team} />
      <Panel title="Pending invitations" description="Invitations expire after 30 days.">
        {error && <NothingHere>{messageOf(error)}</NothingHere>}
        {data?.entries.length === 0 && <NothingHere>No pending invitations.</NothingHere>}
        <Rows label="Invitations">
          {data?.entries.map((invite) => (
            <InviteRow key={invite.id} team={team} invite={invite} />
          ))}
        </Rows>
      </Panel>
    </>
  );
}

function MailForm({ team }: { team: TeamDetail }) {
  const refresh = useTeamsRefresh();
  const initial = { email: '', message: '', role: 'member' as string };
  const form = useForm({
    initial,
    checks: { email, message: atMost(1_000) },
    submit: async (values) => {
      const invite = await client.teams.invite({
        id: team.id,
        email: values.email.trim(),
        message: values.message,
        role: values.role as GivenRole,
      });
      form.setValues(initial);
      toast(`Invitation sent to ${invite.email}.`);
      await refresh();
    },
  });
  return (
    <Panel title="Invite by e-mail" description="They can accept or ignore the invitation.">
      <Form form={form} gap={12}>
        <div className={classes.inviting}>
          <TextInput
            type="email"
            aria-label="E-mail address"
            placeholder="name@example.com"
            autoComplete="off"
            flex="1 1 220px"
            {...form.text('email')}
          />
          <NativeSelect aria-label="Role" className={classes.role} data={roles} {...form.text('role')} />
        </div>
        <Textarea
          aria-label="Message"
          placeholder="Optional message"
          autosize
          minRows={2}
          maxRows={6}
          {...form.text('message')}
        />
        <FormActions form={form} justify="flex-start">
          Send invitation
        </FormActions>
      </Form>
    </Panel>
  );
}

function LinkPanel({ team }: { team: TeamDetail }) {
  const refresh = useTeamsRefresh();
  const make = useMutation({
    mutationFn: () => client.teams.invite({ id: team.id, role: 'member' }),
    onSuccess: refresh,
    onError: (error) => toastError(error),
  });
  const url = make.data?.url;
  return (
    <Panel
      title="Invite by link"
      description="Anyone with the link can join as a member until you revoke it. The link is shown once."
    >
      {url ? (
        <div className={classes.made}>
          <code>{url}</code>
          <CopyButton value={url} label="Copy" />
        </div>
      ) : (
        <Button
          variant="default"
          leftSection={<IconLink size={16} />}
          loading={make.isPending}
          onClick={() => make.mutate()}
        >
          Create link
        </Button>
      )}
    </Panel>
  );
}

function InviteRow({ team, invite }: { team: TeamDetail; invite: TeamInvite }) {
  const remove = useRemoveInvite();
  const name = invite.email ?? 'Link';
  return (
    <Row
      icon={invite.email ? <IconMail size={16} /> : <IconLink size={16} />}
      title={name}
      detail={
        <>
          {roleWords[invite.role].label}, by {invite.invited_by?.user_name ?? 'a deleted user'}{' '}
          <When time={invite.created_at} />
        </>
      }
      action={
        <IconButton
          label={`Revoke: ${name}`}
          tip="Revoke"
          size={28}
          loading={remove.isPending}
          onClick={() => remove.mutate({ id: team.id, inviteId: invite.id })}
        >
          <IconX size={16} stroke={1.6} />
        </IconButton>
      }
    />
  );
}
