import type { DeliverySettings } from '@atoll/contract/deliveries/entity';
import type { TelegramChat } from '@atoll/contract/telegram/entity';
import {
  Button,
  Group,
  Modal,
  NativeSelect,
  PasswordInput,
  Skeleton,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconCalendarClock, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';
import { Panel } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.ts';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { projectQuery } from '../../projects/queries.ts';
import { useMaySchedule } from '../../schedules/schedule-item.tsx';
import { addressesIn, kindWords, recipientWords } from '../model.ts';
import { useChangeDelivery, useSendNow } from '../mutations.ts';
import { chatsQuery, deliverySettingsQuery } from '../queries.ts';
import classes from './deliveries.module.css';
import { DeliveryLog } from './delivery-log.tsx';
import { TelegramChats } from './telegram-chats.tsx';

const ScheduleDialog = lazyPart(() => import('../../schedules/schedule-dialog.tsx'), 'ScheduleDialog');

interface DeliveryPanelProps {
  id: string;
  projectId: string;
}

/** Where a report goes, when, and what came of it. */
export function DeliveryPanel({ id, projectId }: DeliveryPanelProps) {
  const { data } = useQuery(deliverySettingsQuery(id));
  const maySchedule = useMaySchedule(useQuery(projectQuery(projectId)).data?.permissions);
  const [opened, setOpened] = useState<'targets' | 'schedule' | null>(null);
  const send = useSendNow(id);
  const chats = useQuery({ ...chatsQuery(), enabled: data?.delivery.telegram.enabled === true }).data?.entries ?? [];
  const targets = data ? listed(data.delivery, chats) : [];
  const close = () => setOpened(null);
  return (
    <Panel title="Delivery">
      {data ? (
        <Stack gap="sm">
          {targets.length > 0 ? (
            <ul className={classes.targets} aria-label="Targets">
              {targets.map((target) => (
                <li key={target}>{target}</li>
              ))}
            </ul>
          ) : (
            <Text size="sm" c="dimmed">
              Send the report to mail, Slack or Telegram. Readers can subscribe to it too.
            </Text>
          )}
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => setOpened('targets')}>
              {targets.length > 0 ? 'Change recipients' : 'Add recipients'}
            </Button>
            {maySchedule && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconCalendarClock size={14} aria-hidden />}
                onClick={() => setOpened('schedule')}
              >
                Schedule…
              </Button>
            )}
            <Button
              size="xs"
              leftSection={<IconSend size={14} aria-hidden />}
              loading={send.isPending}
              onClick={() => send.mutate()}
            >
              Send now
            </Button>
          </Group>
          <DeliveryLog id={id} />
        </Stack>
      ) : (
        <Skeleton height={80} />
      )}
      <Suspense>
        {opened === 'schedule' && <ScheduleDialog subject={{ projectId, publicationId: id }} onClose={close} />}
      </Suspense>
      {opened === 'targets' && data && <TargetsDialog id={id} settings={data.delivery} onClose={close} />}
    </Panel>
  );
}

function listed({ email, recipients, slack, telegram, webhook }: DeliverySettings, chats: TelegramChat[]): string[] {
  const chat = chats.find(({ chat_id }) => chat_id === telegram.chat_id)?.title ?? telegram.chat_id;
  return [
    ...(email.enabled
      ? recipients.map(({ address, state }) => `${kindWords.email}: ${address}${recipientWords[state]}`)
      : []),
    ...(slack.enabled ? [`${kindWords.slack}: ${slack.channel}`] : []),
    ...(telegram.enabled ? [`${kindWords.telegram}: ${chat}`] : []),
    ...(webhook.enabled ? [`${kindWords.webhook}: ${webhook.host}`] : []),
  ];
}

function TargetsDialog({ id, settings, onClose }: { id: string; settings: DeliverySettings; onClose(): void }) {
  const isNarrow = useIsNarrow();
  const { email, slack, telegram, webhook } = settings;
  const change = useChangeDelivery(id);
  const form = useForm({
    initial: {
      attachment: settings.attachment as string,
      message: settings.message,
      addresses: email.addresses.join('\n'),
      hasEmail: email.enabled,
      hasSlack: slack.enabled,
      channel: slack.channel,
      token: '',
      hasTelegram: telegram.enabled,
      chat: telegram.chat_id,
      hasWebhook: webhook.enabled,
      url: '',
    },
    checks: {
      addresses: (value, { hasEmail }) => (hasEmail && addressesIn(value).length === 0 ? 'Enter an address' : null),
      channel: (value, { hasSlack }) => (hasSlack && !value.trim() ? 'Enter the id of a channel' : null),
      chat: (value, { hasTelegram }) => (hasTelegram && !value ? 'Choose a chat' : null),
    },
    submit: async (values) => {
      try {
        await change.mutateAsync({
          attachment: values.attachment as DeliverySettings['attachment'],
          message: values.message,
          email: { enabled: values.hasEmail, addresses: addressesIn(values.addresses) },
          slack: {
            enabled: values.hasSlack,
            channel: values.channel.trim(),
            ...(values.token ? { token: values.token.trim() } : {}),
          },
          telegram: { enabled: values.hasTelegram, chat_id: values.chat.trim() },
          webhook: { enabled: values.hasWebhook, ...(values.url ? { url: values.url.trim() } : {}) },
        });
      } catch (error) {
        throw renamed(error);
      }
      toast('Targets saved.');
      onClose();
    },
  });
  const { values } = form;
  return (
    <Modal opened onClose={onClose} title="Deliver report" size="lg" fullScreen={isNarrow}>
      <Form form={form}>
        <NativeSelect
          label="Attachment"
          data={[
            { value: 'pdf', label: 'PDF' },
            { value: 'png', label: 'PNG picture' },
            { value: 'none', label: 'None, only the link' },
          ]}
          {...form.text('attachment')}
        />
        <Textarea label="Message" autosize minRows={2} maxRows={6} maxLength={2_000} {...form.text('message')} />
        <Switch label="Mail" {...form.flag('hasEmail')} />
        {values.hasEmail && (
          <Textarea
            label="Addresses"
            description="Separated by commas or lines. People outside of the project get a mail first, and reports once they confirm."
            autosize
            minRows={2}
            maxRows={8}
            {...form.text('addresses')}
          />
        )}
        <Switch label="Slack" {...form.flag('hasSlack')} />
        {values.hasSlack && (
          <div className={classes.pair}>
            <TextInput label="Channel" placeholder="C0123456789" {...form.text('channel')} />
            <PasswordInput
              label="Bot token"
              description="Of a Slack app with chat:write and files:write"
              placeholder={slack.has_token ? 'Stays as it is' : 'xoxb-…'}
              {...form.text('token')}
            />
          </div>
        )}
        <Switch label="Telegram" {...form.flag('hasTelegram')} />
        {values.hasTelegram && <TelegramChats chat={form.text('chat')} chosen={telegram.chat_id} />}
        <Switch label="Webhook" {...form.flag('hasWebhook')} />
        {values.hasWebhook && (
          <TextInput
            label="Address"
            description="Gets a POST with the link"
            placeholder={webhook.host ? `Stays as it is (${webhook.host})` : 'https://'}
            {...form.text('url')}
          />
        )}
        <FormActions form={form} onClose={onClose}>
          Save
        </FormActions>
      </Form>
    </Modal>
  );
}

/** The server's fields by the names that the form has for them. */
const names: [prefix: string, name: string][] = [
  ['delivery.email.addresses', 'addresses'],
  ['delivery.slack.channel', 'channel'],
  ['delivery.slack.token', 'token'],
  ['delivery.telegram', 'chat'],
  ['delivery.webhook', 'url'],
  ['delivery.message', 'message'],
];

function renamed(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const fields = Object.fromEntries(
    Object.entries(error.fields).map(([field, said]) => [
      names.find(([prefix]) => field.startsWith(prefix))?.[1] ?? field,
      said,
    ]),
  );
  return Object.assign(error, { fields });
}
