import type { AdminUserDetail } from '@atoll/contract/admin/entity';
import { Badge, NativeSelect } from '@mantine/core';
import { client } from '../../../platform/client.ts';
import { Panel } from '../../../ui/page.tsx';
import { AdminTable } from '../components/list-parts.tsx';
import { featureWords, limitSourceWords, limitValueWords, limitWords, sourceWords } from '../model.ts';
import { useAdminButton } from '../mutations.ts';

type Explained = AdminUserDetail['effective_features'][number];

/** What is on for a person, and why. */
export function UserFeatures({ user }: { user: AdminUserDetail }) {
  const set = useAdminButton(
    (features: Parameters<typeof client.admin.updateUser>[0]['features']) =>
      client.admin.updateUser({ id: user.id, features }),
    'Could not change the feature',
  );
  const own = (name: Explained['name']) => user.features[name];
  return (
    <Panel title="Features" description="What this person can use, and what decides it.">
      <AdminTable<Explained & { id: string }>
        label="Features of this person"
        entries={user.effective_features.map((feature) => ({ ...feature, id: feature.name }))}
        empty={null}
        columns={[
          { label: 'Feature', cell: ({ name }) => featureWords(name) },
          {
            label: 'State',
            cell: ({ is_enabled }) => (
              <Badge color={is_enabled ? 'success' : 'gray'}>{is_enabled ? 'On' : 'Off'}</Badge>
            ),
          },
          { label: 'Because of', cell: sourceWords },
          {
            label: 'For this person',
            cell: ({ name, source }) => (
              <NativeSelect
                size="xs"
                aria-label={`${featureWords(name)} for this person`}
                disabled={set.isPending || source === 'unbuilt'}
                data={[
                  { value: '', label: 'Not set' },
                  { value: 'true', label: 'On' },
                  { value: 'false', label: 'Off' },
                ]}
                value={own(name) === undefined ? '' : String(own(name))}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  set.mutate({ [name]: value === '' ? null : value === 'true' });
                }}
              />
            ),
          },
        ]}
      />
    </Panel>
  );
}

/** How much a person may use, and why. */
export const UserLimits = ({ user }: { user: AdminUserDetail }) => (
  <Panel title="Limits" description="The highest of plan and roles counts.">
    <AdminTable<AdminUserDetail['effective_limits'][number] & { id: string }>
      label="Limits of this person"
      entries={user.effective_limits.map((limit) => ({ ...limit, id: limit.name }))}
      empty={null}
      columns={[
        { label: 'Limit', cell: ({ name }) => limitWords[name] },
        { label: 'Value', type: 'number', cell: ({ value }) => limitValueWords(value) },
        { label: 'Because of', cell: limitSourceWords },
      ]}
    />
  </Panel>
);
