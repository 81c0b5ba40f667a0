import { Button, Group, Modal, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { useForm } from '../../../ui/form.ts';
import { FormProblem, SubmitButton } from '../../../ui/form-parts.tsx';
import { Page } from '../../../ui/page.tsx';
import { useAdminAct, useAdminButton } from '../mutations.ts';
import { botChannelsQuery, listCsv } from '../queries.ts';
import classes from './admin.module.css';
import { AdminTable, CsvButton } from './list-parts.tsx';

export function TradingBotsPage() {
  const list = useQuery(botChannelsQuery());
  const [isCreating, setCreating] = useState(false);
  const change = useAdminButton(
    (input: { id: string; is_enabled: boolean }) => client.admin.updateTradingBotChannel(input),
    'Could not change the channel',
  );
  const remove = useAdminButton(
    (id: string) => client.admin.deleteTradingBotChannel({ id }),
    'Could not delete the channel',
    'Channel deleted',
  );
  return (
    <Page
      title="Trading bots"
      description="Channels in which the trading bot posts"
      width="wide"
      actions={
        <>
          <CsvButton href={listCsv('trading_bot_channels')} />
          <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
            Add channel
          </Button>
        </>
      }
    >
      <AdminTable
        label="Channels"
        entries={list.data?.entries}
        isFetching={list.isFetching}
        error={list.error}
        onRetry={() => list.refetch()}
        empty={<Text c="dimmed">No channels yet.</Text>}
        columns={[
          {
            label: 'Channel',
            cell: ({ name, description }) => (
              <>
                {name}
                <span className={classes.detail}>{description}</span>
              </>
            ),
          },
          { label: 'Chat', cell: ({ chat_id }) => chat_id },
          {
            label: 'Enabled',
            cell: ({ id, name, is_enabled }) => (
              <Switch
                aria-label={`${name} enabled`}
                checked={is_enabled}
                onChange={(event) => change.mutate({ id, is_enabled: event.currentTarget.checked })}
              />
            ),
          },
          {
            label: 'Actions',
            type: 'actions',
            cell: ({ id, name }) => (
              <Button
                variant="default"
                size="xs"
                onClick={() => window.confirm(`The bot posts in “${name}” no more. Continue?`) && remove.mutate(id)}
              >
                Delete
              </Button>
            ),
          },
        ]}
      />
      {isCreating && <ChannelDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function ChannelDialog({ onClose }: { onClose(): void }) {
  const create = useAdminAct(
    (input: { name: string; description: string; chat_id: string }) => client.admin.createTradingBotChannel(input),
    'Channel added',
  );
  const form = useForm({
    initial: { name: '', description: '', chat_id: '' },
    checks: {
      name: (value) => (value.trim() ? null : 'Enter a name'),
      chat_id: (value) => (value.trim() ? null : 'Enter the id of the chat'),
    },
    submit: async (fields) => {
      await create.mutateAsync(fields);
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Add channel" size="md">
      <form onSubmit={form.send} noValidate>
        <Stack gap="md">
          <TextInput label="Name" required maxLength={100} data-autofocus {...form.text('name')} />
          <TextInput label="Description" maxLength={300} {...form.text('description')} />
          <TextInput label="Chat id" required maxLength={100} {...form.text('chat_id')} />
          <FormProblem problem={form.problem} />
          <Group justify="flex-end">
            <SubmitButton pending={form.pending}>Add channel</SubmitButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
