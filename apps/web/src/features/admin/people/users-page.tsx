import type { AdminUser } from '@atoll/contract/admin/entity';
import { personName } from '@atoll/contract/users/names';
import { Badge, Button, NativeSelect, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import classes from '../components/admin.module.css';
import { AdminTable, type Column, CsvButton, Pages, SearchTool } from '../components/list-parts.tsx';
import { stateWords, type UsersSearch, userStates } from '../model.ts';
import { plansQuery, rolesQuery, usersCsv, usersOnPage, usersQuery } from '../queries.ts';
import { NewUserDialog } from './new-user-dialog.tsx';

const sorts = [
  { value: 'created_at desc', label: 'Newest' },
  { value: 'active_at desc', label: 'Recently active' },
  { value: 'user_name asc', label: 'User name' },
  { value: 'balance desc', label: 'Balance' },
];

const columns: Column<AdminUser>[] = [
  {
    label: 'Person',
    cell: (user) => (
      <Link to="/admin/users/$userId" params={{ userId: user.id }}>
        {personName(user)}
      </Link>
    ),
    detail: ({ user_name, email }) => [`@${user_name}`, email].filter(Boolean).join(' · '),
  },
  {
    label: 'State',
    cell: ({ state, role }) => (
      <>
        {role === 'admin' && <Badge mr={6}>Admin</Badge>}
        <Badge color={state === 'suspended' ? 'danger' : state === 'active' ? 'success' : 'gray'}>
          {stateWords[state]}
        </Badge>
      </>
    ),
  },
  { label: 'Plan', cell: ({ plan }) => plan.title },
  { label: 'Roles', cell: ({ roles }) => roles.map(({ name }) => name).join(', ') || '–' },
  { label: 'Units', type: 'number', cell: ({ balance }) => balance.toLocaleString('en') },
  { label: 'Signed up', cell: ({ created_at }) => <When time={created_at} /> },
  { label: 'Active', cell: ({ active_at }) => <When time={active_at} /> },
];

export function UsersPage({ search }: { search: UsersSearch }) {
  const list = useQuery(usersQuery(search));
  const roles = useQuery(rolesQuery());
  const plans = useQuery(plansQuery());
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const change = (update: UsersSearch) =>
    void navigate({ to: '/admin/users', search: { ...search, page: undefined, ...update }, replace: true });
  const select = (value: string) => value || undefined;
  return (
    <Page
      title="Users"
      width="wide"
      actions={
        <>
          <CsvButton href={usersCsv(search)} />
          <Button leftSection={<IconUserPlus size={16} />} onClick={() => setCreating(true)}>
            Create account
          </Button>
        </>
      }
    >
      <div className={classes.tools}>
        <SearchTool
          label="Search users"
          placeholder="Name, user name, e-mail or id"
          value={search.search}
          onSearch={(value) => change({ search: select(value) })}
        />
        <NativeSelect
          aria-label="State"
          data={[
            { value: '', label: 'All states' },
            ...userStates.map((value) => ({ value, label: stateWords[value] })),
          ]}
          value={search.state ?? ''}
          onChange={(event) => change({ state: select(event.currentTarget.value) as UsersSearch['state'] })}
        />
        <NativeSelect
          aria-label="Access"
          data={[
            { value: '', label: 'Admins and users' },
            { value: 'admin', label: 'Admins' },
            { value: 'user', label: 'Users' },
          ]}
          value={search.role ?? ''}
          onChange={(event) => change({ role: select(event.currentTarget.value) as UsersSearch['role'] })}
        />
        <NativeSelect
          aria-label="Plan"
          data={[
            { value: '', label: 'All plans' },
            ...(plans.data?.entries ?? []).map(({ name, title }) => ({ value: name, label: title })),
          ]}
          value={search.plan ?? ''}
          onChange={(event) => change({ plan: select(event.currentTarget.value) })}
        />
        {(roles.data?.entries.length ?? 0) > 0 && (
          <NativeSelect
            aria-label="Role"
            data={[
              { value: '', label: 'All roles' },
              ...(roles.data?.entries ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={search.role_id ?? ''}
            onChange={(event) => change({ role_id: select(event.currentTarget.value) })}
          />
        )}
        <NativeSelect
          aria-label="Sort by"
          data={sorts}
          value={`${search.sort ?? 'created_at'} ${search.direction ?? 'desc'}`}
          onChange={(event) => {
            const [sort, direction] = event.currentTarget.value.split(' ');
            change({ sort: sort as UsersSearch['sort'], direction: direction as UsersSearch['direction'] });
          }}
        />
      </div>
      <AdminTable
        label="Users"
        columns={columns}
        entries={list.data?.entries}
        list={list}
        empty={
          <>
            <Text c="dimmed">No accounts match.</Text>
            <Button variant="default" onClick={() => void navigate({ to: '/admin/users' })}>
              Show all
            </Button>
          </>
        }
      />
      <Pages
        label="Pages of users"
        page={search.page ?? 1}
        size={usersOnPage}
        total={list.data?.total}
        isMore={list.data?.is_more}
        onChange={(page) => change({ page })}
      />
      {isCreating && <NewUserDialog roles={roles.data?.entries ?? []} onClose={() => setCreating(false)} />}
    </Page>
  );
}
