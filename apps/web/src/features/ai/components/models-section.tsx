import type { AiProvider } from '@atoll/contract';
import { Badge, Button, Group, Switch } from '@mantine/core';
import { IconPlugConnected, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { api, client } from '../../../platform/client.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Page, Panel } from '../../../ui/page.tsx';
import { NothingHere, Row, Rows } from '../../../ui/rows.tsx';
import { SectionSkeleton } from '../../../ui/section-skeleton.tsx';
import { toastError } from '../../../ui/toast.ts';
import { providersQuery } from '../queries.ts';
import classes from './assistant.module.css';
import { PriceTable } from './price-table.tsx';
import { ProviderForm } from './provider-form.tsx';

/** Models with keys of one's own. */
export const OwnModels = () => <Providers isForEveryone={false} />;

/** Models for everyone, in the admin area. */
export const CommonModels = () => (
  <Page title="Models">
    <Providers isForEveryone />
  </Page>
);

function Providers({ isForEveryone }: { isForEveryone: boolean }) {
  const { data, error } = useQuery(providersQuery());
  if (!data && !error) return <SectionSkeleton />;
  const entries = (data?.entries ?? []).filter(({ is_for_everyone }) => is_for_everyone === isForEveryone);
  return (
    <>
      <Panel
        title="New provider"
        description={
          isForEveryone
            ? 'Everyone here can use its models. With prices, they are paid from the wallet.'
            : 'Only you use its models, and its provider bills you. The key is encrypted and cannot be displayed again.'
        }
      >
        <ProviderForm isForEveryone={isForEveryone} />
      </Panel>
      <Panel title={isForEveryone ? 'Providers for everyone' : 'Your providers'}>
        {error ? (
          <NothingHere>{messageOf(error)}</NothingHere>
        ) : entries.length === 0 ? (
          <NothingHere>No providers yet.</NothingHere>
        ) : (
          <Rows label="Providers">
            {entries.map((provider) => (
              <ProviderRow key={provider.id} provider={provider} />
            ))}
          </Rows>
        )}
      </Panel>
      {isForEveryone && <PriceTable />}
    </>
  );
}

function ProviderRow({ provider }: { provider: AiProvider }) {
  const queryClient = useQueryClient();
  const { id, name, models, is_enabled, has_key } = provider;
  const reload = () => queryClient.invalidateQueries({ queryKey: api.ai.key() });
  const check = useMutation({
    mutationFn: () => client.ai.checkProvider({ id }),
    onError: (error) => toastError(error),
  });
  const change = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: reload,
    onError: (error) => toastError(error),
  });
  return (
    <Row
      title={name}
      detail={
        <>
          {models.map((model) => model.name).join(', ')}
          {check.data && (
            <span role="status" className={classes.checked} data-ok={check.data.is_ok || undefined}>
              {check.data.message}
              {check.data.is_ok && ` (${check.data.milliseconds} ms)`}
            </span>
          )}
        </>
      }
      action={
        <Group gap={8} wrap="nowrap">
          {!has_key && <Badge>No key</Badge>}
          <Switch
            aria-label={`${name} is on`}
            checked={is_enabled}
            onChange={(event) => {
              const isOn = event.currentTarget.checked;
              change.mutate(() => client.ai.updateProvider({ id, is_enabled: isOn }));
            }}
          />
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlugConnected size={14} />}
            loading={check.isPending}
            onClick={() => check.mutate()}
          >
            Check
          </Button>
          <IconButton
            label={`Delete ${name}`}
            tip="Delete"
            onClick={() => change.mutate(() => client.ai.deleteProvider({ id }))}
          >
            <IconTrash size={15} />
          </IconButton>
        </Group>
      }
    />
  );
}
