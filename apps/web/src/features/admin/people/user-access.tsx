import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import type { AdminUserDetail } from '@atoll/contract/admin/entity';
import { Button, Group, MultiSelect, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../../platform/client.ts';
import { Panel } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import classes from '../components/admin.module.css';
import list from '../components/list-parts.module.css';
import { useAdminButton } from '../mutations.ts';
import { plansQuery, rolesQuery } from '../queries.ts';

export function UserAccess({ user }: { user: AdminUserDetail }) {
  const { id } = user;
  const roles = useQuery(rolesQuery());
  const plans = useQuery(plansQuery());
  const setAccess = useAdminButton(
    (role: AdminUserDetail['role']) => client.admin.setAccess({ id, role }),
    'Could not change the access',
    'Access changed',
  );
  const setPlan = useAdminButton(
    (plan: string) => client.admin.setSubscription({ id, plan }),
    'Could not change the plan',
    'Plan changed',
  );
  const setRoles = useAdminButton(
    (role_ids: string[]) => client.admin.setRoles({ id, role_ids }),
    'Could not change the roles',
  );
  const changeTrial = useAdminButton(
    (days: number) => client.admin.changeTrial({ id, days }),
    'Could not change the trial',
    'Trial changed',
  );
  const isGuest = user.state === 'guest';
  return (
    <Panel title="Access and plan">
      <div className={classes.tools}>
        <NativeSelect
          label="Access"
          disabled={isGuest || setAccess.isPending}
          data={[
            { value: 'user', label: 'User' },
            { value: 'admin', label: 'Admin' },
          ]}
          value={user.role}
          onChange={(event) => {
            const role = event.currentTarget.value as AdminUserDetail['role'];
            const words =
              role === 'admin'
                ? `@${user.user_name} will be able to do everything in the admin area. Continue?`
                : `@${user.user_name} will be signed out and lose the admin area. Continue?`;
            if (window.confirm(words)) setAccess.mutate(role);
          }}
        />
        <NativeSelect
          label="Plan"
          disabled={isGuest || setPlan.isPending}
          data={plans.data?.entries.map(({ name, title }) => ({ value: name, label: title })) ?? [user.plan.title]}
          value={user.plan.name}
          onChange={(event) => {
            const plan = event.currentTarget.value;
            const title = plans.data?.entries.find(({ name }) => name === plan)?.title;
            if (
              window.confirm(
                `@${user.user_name} gets the plan ${title} without payment, now. A paid one ends. Continue?`,
              )
            )
              setPlan.mutate(plan);
          }}
        />
        <MultiSelect
          label="Roles"
          searchable
          className={list.search}
          placeholder={roles.data?.entries.length === 0 ? 'There are no roles yet' : undefined}
          data={(roles.data?.entries ?? []).map((role) => ({ value: role.id, label: role.name }))}
          value={user.roles.map((role) => role.id)}
          onChange={(ids) => setRoles.mutate(ids)}
        />
      </div>
      {user.trial && (
        <Group gap="sm">
          <Text size="sm">
            Trial until <When time={user.trial.expires_at} />
          </Text>
          <Button variant="default" size="xs" onClick={() => changeTrial.mutate(7)}>
            Extend by 7 days
          </Button>
          <Button
            variant="default"
            size="xs"
            onClick={() => window.confirm('The plan and its roles end now. Continue?') && changeTrial.mutate(0)}
          >
            End trial
          </Button>
        </Group>
      )}
    </Panel>
  );
}
