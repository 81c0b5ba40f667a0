import type { AdminRole } from '@atoll/contract/admin/entity';
import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { Page } from '../../../ui/page.tsx';
import { AdminTable, CsvButton } from '../components/list-parts.tsx';
import { featureWords, limitNames, limitValueWords, limitWords } from '../model.ts';
import { useAdminButton } from '../mutations.ts';
import { listCsv, rolesQuery } from '../queries.ts';
import { RoleDialog } from './role-dialog.tsx';

export function RolesPage() {
  const list = useQuery(rolesQuery());
  const [edited, setEdited] = useState<AdminRole | 'new' | null>(null);
  const remove = useAdminButton(
    (role: AdminRole) => client.admin.deleteRole({ id: role.id, is_forced: role.people_count > 0 }),
    'Could not delete the role',
    'Role deleted',
  );
  const confirmDelete = (role: AdminRole) => {
    const who = role.people_count === 1 ? '1 person loses' : `${role.people_count} people lose`;
    const words = role.people_count > 0 ? `${who} what “${role.name}” gives them.` : `“${role.name}” is deleted.`;
    if (window.confirm(`${words} Continue?`)) remove.mutate(role);
  };
  return (
    <Page
      title="Roles"
      description="Named sets of features and limits that you give to people"
      width="wide"
      actions={
        <>
          <CsvButton href={listCsv('roles')} />
          <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
            Create role
          </Button>
        </>
      }
    >
      <AdminTable
        label="Roles"
        entries={list.data?.entries}
        list={list}
        empty={
          <Text c="dimmed">No roles yet. Create one to give a group of people more, or less, than their plan.</Text>
        }
        columns={[
          { label: 'Role', cell: (role) => role.name, detail: (role) => role.description },
          {
            label: 'Features',
            cell: ({ features }) =>
              Object.entries(features)
                .map(([name, isOn]) => `${featureWords(name)} ${isOn ? 'on' : 'off'}`)
                .join(', ') || '–',
          },
          {
            label: 'Limits',
            cell: ({ limits }) =>
              limitNames
                .filter((name) => limits[name] !== undefined)
                .map((name) => `${limitWords[name]}: ${limitValueWords(limits[name])}`)
                .join(', ') || '–',
          },
          {
            label: 'People',
            type: 'number',
            cell: (role) => (
              <Link to="/admin/users" search={{ role_id: role.id }}>
                {role.people_count.toLocaleString('en')}
              </Link>
            ),
          },
          {
            label: 'Actions',
            type: 'actions',
            cell: (role) => (
              <Button.Group>
                <Button variant="default" size="xs" onClick={() => setEdited(role)}>
                  Edit
                </Button>
                <Button variant="default" size="xs" onClick={() => confirmDelete(role)}>
                  Delete
                </Button>
              </Button.Group>
            ),
          },
        ]}
      />
      {edited && <RoleDialog role={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}
