import type { TradingBotChannel } from '@atoll/contract/admin/entity';
import { Button, Group, Modal, NativeSelect, Switch, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';
import { Page } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import { AdminTable, CsvButton } from '../components/list-parts.tsx';
import { useAdminAct, useAdminButton } from '../mutations.ts';
import { botChannelsQuery, listCsv } from '../queries.ts';

export function TradingBotsPage() {
  const list = useQuery(botChannelsQuery());
  const [edited, setEdited] = useState<TradingBotChannel | 'new' | null>(null);
  const change = useAdminButton(
    (input: { id: string; is_enabled: boolean }) => client.admin.updateTradingBotChannel(input),
    'Could not change the channel',
  );
  const remove = useAdminButton(
    (id: string) => client.admin.deleteTradingBotChannel({ id }),
    'Could not delete the channel',
    'Channel deleted',
  );
  const test = useAdminButton(
    (id: string) => client.admin.testTradingBotChannel({ id }),
    'Could not post there',
    'A test message is on its way',
  );
  return (
    <Page
      title="Trading bots"
      description="Telegram channels in which the bot tells what published strategies do. Who signs in with Telegram can ask it for /status and /stop their own."
      width="wide"
      actions={
        <>
          <CsvButton href={listCsv('trading_bot_channels')} />
          <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
            Add channel
          </Button>
        </>
      }
    >
      <AdminTable
        label="Channels"
        entries={list.data?.entries}
        list={list}
        empty={<Text c="dimmed">No channels yet.</Text>}
        columns={[
          { label: 'Channel', cell: ({ title }) => title, detail: ({ type }) => typeWords[type] },
          { label: 'Chat', cell: ({ telegram_chat_id }) => telegram_chat_id },
          {
            label: 'Updates',
            cell: ({ periodic_updates_enabled, periodic_updates_interval }) =>
              periodic_updates_enabled ? `Every ${intervalWords(periodic_updates_interval)}` : 'None',
          },
          {
            label: 'Last post',
            cell: ({ last_post_at }) => (last_post_at ? <When time={last_post_at} /> : 'None yet'),
            detail: ({ problem }) => problem,
          },
          {
            label: 'Enabled',
            cell: ({ id, title, is_enabled }) => (
              <Switch
                aria-label={`${title} enabled`}
                checked={is_enabled}
                onChange={(event) => change.mutate({ id, is_enabled: event.currentTarget.checked })}
              />
            ),
          },
          {
            label: 'Actions',
            type: 'actions',
            cell: (channel) => (
              <Group gap="xs" wrap="nowrap" justify="flex-end">
                <Button variant="default" size="xs" onClick={() => test.mutate(channel.id)}>
                  Test
                </Button>
                <Button variant="default" size="xs" onClick={() => setEdited(channel)}>
                  Edit
                </Button>
                <Button
                  variant="default"
                  size="xs"
                  onClick={() =>
                    window.confirm(`The bot posts in “${channel.title}” no more. Continue?`) &&
                    remove.mutate(channel.id)
                  }
                >
                  Delete
                </Button>
              </Group>
            ),
          },
        ]}
      />
      {edited && <ChannelDialog channel={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}

const typeWords: Record<TradingBotChannel['type'], string> = {
  all: 'Trades, daily results and alarms',
  trades: 'Trades',
  results: 'Daily results',
  alarms: 'Alarms',
};
const intervals = [15, 60, 240, 720, 1_440, 10_080];
const intervalWords = (minutes: number) =>
  minutes % 1_440 === 0
    ? minutes === 1_440
      ? 'day'
      : `${minutes / 1_440} days`
    : minutes % 60 === 0
      ? minutes === 60
        ? 'hour'
        : `${minutes / 60} hours`
      : `${minutes} minutes`;

function ChannelDialog({ channel, onClose }: { channel: TradingBotChannel | null; onClose(): void }) {
  const [type, setType] = useState(channel?.type ?? 'all');
  const [interval, setInterval] = useState(channel?.periodic_updates_enabled ? channel.periodic_updates_interval : 0);
  const save = useAdminAct(
    (fields: { title: string; telegram_chat_id: string }) => {
      const input = {
        ...fields,
        type,
        periodic_updates_enabled: interval > 0,
        ...(interval > 0 ? { periodic_updates_interval: interval } : {}),
      };
      return channel
        ? client.admin.updateTradingBotChannel({ id: channel.id, ...input })
        : client.admin.createTradingBotChannel(input);
    },
    channel ? 'Channel changed' : 'Channel added',
  );
  const form = useForm({
    initial: { title: channel?.title ?? '', telegram_chat_id: channel?.telegram_chat_id ?? '' },
    checks: {
      title: (value) => (value.trim() ? null : 'Enter a title'),
      telegram_chat_id: (value) => (value.trim() ? null : 'Enter the id of the chat'),
    },
    submit: async (fields) => {
      await save.mutateAsync(fields);
      onClose();
    },
  });
  const choices = [...new Set([...intervals, ...(interval > 0 ? [interval] : [])])].sort((a, b) => a - b);
  const action = channel ? 'Save' : 'Add channel';
  return (
    <Modal opened onClose={onClose} title={channel ? 'Edit channel' : 'Add channel'}>
      <Form form={form}>
        <TextInput label="Title" required maxLength={100} data-autofocus {...form.text('title')} />
        <TextInput
          label="Telegram chat id"
          description="Make the bot an administrator of the channel first. A number such as -1001234567890, or @channel."
          required
          maxLength={100}
          {...form.text('telegram_chat_id')}
        />
        <NativeSelect
          label="Posts"
          data={Object.entries(typeWords).map(([value, label]) => ({ value, label }))}
          value={type}
          onChange={(event) => setType(event.currentTarget.value as typeof type)}
        />
        <NativeSelect
          label="Periodic updates"
          description="How running strategies do, in one message"
          data={[
            { value: '0', label: 'None' },
            ...choices.map((minutes) => ({ value: String(minutes), label: `Every ${intervalWords(minutes)}` })),
          ]}
          value={String(interval)}
          onChange={(event) => setInterval(Number(event.currentTarget.value))}
        />
        <FormActions form={form}>{action}</FormActions>
      </Form>
    </Modal>
  );
}
