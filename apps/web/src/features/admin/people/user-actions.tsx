import type { AdminUserDetail } from '@atoll/contract/admin/entity';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { Panel } from '../../../ui/page.tsx';
import { useSession } from '../../session/queries.ts';
import { useAdminAct, useMask } from '../mutations.ts';
import { ReasonDialog } from './reason-dialog.tsx';

type Dialog = 'mask' | 'suspend' | 'unsuspend' | 'delete' | 'credit';

export function UserActions({ user }: { user: AdminUserDetail }) {
  const me = useSession();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const isSelf = me.id === user.id;
  const close = () => setDialog(null);
  return (
    <Panel title="Actions">
      <Group gap="sm">
        <Button
          variant="default"
          disabled={isSelf || user.role === 'admin' || user.state !== 'active'}
          onClick={() => setDialog('mask')}
        >
          Act as this person
        </Button>
        <Button variant="default" disabled={user.state === 'guest'} onClick={() => setDialog('credit')}>
          Change units
        </Button>
        {user.state === 'suspended' ? (
          <Button variant="default" onClick={() => setDialog('unsuspend')}>
            Lift suspension
          </Button>
        ) : (
          <Button variant="default" disabled={isSelf} onClick={() => setDialog('suspend')}>
            Suspend
          </Button>
        )}
        <Button variant="light" color="danger" disabled={isSelf} onClick={() => setDialog('delete')}>
          Delete account
        </Button>
      </Group>
      {dialog && <Dialogs user={user} dialog={dialog} onClose={close} />}
    </Panel>
  );
}

function Dialogs({ user, dialog, onClose }: { user: AdminUserDetail; dialog: Dialog; onClose(): void }) {
  const { id } = user;
  const navigate = useNavigate();
  const mask = useMask();
  const suspend = useAdminAct((message: string) => client.admin.suspend({ id, message }), 'Account suspended');
  const unsuspend = useAdminAct((reason: string) => client.admin.unsuspend({ id, reason }), 'Suspension lifted');
  const remove = useAdminAct(
    (input: { reason: string; transfer_to_id: string | null }) => client.admin.deleteUser({ id, ...input }),
    'Account deleted',
  );
  const credit = useAdminAct(
    (input: { amount: number; reason: string }) =>
      client.wallet.credit({ id, request_id: crypto.randomUUID(), ...input }),
    'Units changed',
  );
  const [extra, setExtra] = useState('');
  const name = `@${user.user_name}`;
  if (dialog === 'mask')
    return (
      <ReasonDialog
        title={`Act as ${name}`}
        label="Reason"
        description="Recorded in the action log."
        action="Act as this person"
        onClose={onClose}
        submit={(reason) => mask(id, reason)}
      >
        For one hour you see what {name} sees and act in their name, but for their code, secrets, keys and money. Every
        change is recorded under both names.
      </ReasonDialog>
    );
  if (dialog === 'suspend')
    return (
      <ReasonDialog
        title={`Suspend ${name}`}
        label="Message"
        description={`${name} sees it when signing in.`}
        action="Suspend"
        isDangerous
        onClose={onClose}
        submit={(message) => suspend.mutateAsync(message)}
      >
        Their sessions, kernels and runs end now. Schedules and API keys do nothing until you lift the suspension.
        Nothing is deleted.
      </ReasonDialog>
    );
  if (dialog === 'unsuspend')
    return (
      <ReasonDialog
        title={`Lift the suspension of ${name}`}
        label="Reason"
        action="Lift suspension"
        onClose={onClose}
        submit={(reason) => unsuspend.mutateAsync(reason)}
      >
        They can sign in again. Their API keys and schedules work again.
      </ReasonDialog>
    );
  if (dialog === 'credit')
    return (
      <ReasonDialog
        title={`Change the units of ${name}`}
        label="Reason"
        description="Shown in their wallet."
        action="Change units"
        onClose={onClose}
        submit={(reason) => credit.mutateAsync({ amount: Number(extra), reason })}
      >
        They have {user.balance.toLocaleString('en')} units. A negative number takes units away.
        <TextInput
          mt="sm"
          component="input"
          label="Units"
          inputMode="numeric"
          placeholder="500"
          value={extra}
          onChange={(event) => setExtra(event.currentTarget.value)}
        />
      </ReasonDialog>
    );
  return (
    <ReasonDialog
      title={`Delete ${name}`}
      label="Reason"
      action="Delete account"
      isDangerous
      onClose={onClose}
      submit={async (reason) => {
        await remove.mutateAsync({ reason, transfer_to_id: extra.trim() || null });
        await navigate({ to: '/admin/users' });
      }}
    >
      <Text span size="sm">
        Name, e-mail, secrets and keys are removed for good. {user.projects_count} projects go to the person you name,
        or into the trash for 30 days. Entries in the books stay.
      </Text>
      <TextInput
        mt="sm"
        label="Give projects to (user id)"
        placeholder="Leave empty to move them to the trash"
        value={extra}
        onChange={(event) => setExtra(event.currentTarget.value)}
      />
    </ReasonDialog>
  );
}
