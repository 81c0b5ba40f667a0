import { ActionIcon, Anchor, Button, Code, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { useCreateCode, useUnlinkChat } from '../mutations.ts';
import { chatsQuery } from '../queries.ts';
import classes from './deliveries.module.css';

interface TelegramChatsProps {
  /** The chat as the form has it. */
  chat: { value: string; error?: string | null; onChange(event: { currentTarget: { value: string } }): void };
  /** What was chosen before, perhaps by another person. */
  chosen: string;
}

/** Chooses one of the chats that the person has linked, and links others. */
export function TelegramChats({ chat, chosen }: TelegramChatsProps) {
  const code = useCreateCode();
  const unlink = useUnlinkChat();
  const { data } = useQuery({ ...chatsQuery(), refetchInterval: code.data ? 2_000 : false });
  if (!data) return null;
  if (!data.has_bot)
    return (
      <Text size="sm" c="dimmed">
        This workspace has no Telegram bot yet. An admin can set one up.
      </Text>
    );
  const own = data.entries.map(({ chat_id, title }) => ({ value: chat_id, label: title }));
  const isOther = chosen !== '' && !own.some(({ value }) => value === chosen);
  return (
    <Stack gap="xs">
      <NativeSelect
        label="Chat"
        description="Reports go only to chats that you have linked."
        data={[
          { value: '', label: own.length > 0 ? 'Choose a chat' : 'No linked chats yet' },
          ...own,
          ...(isOther ? [{ value: chosen, label: `${chosen} (not one of yours)` }] : []),
        ]}
        {...chat}
      />
      {data.entries.length > 0 && (
        <ul className={classes.targets} aria-label="Linked chats">
          {data.entries.map(({ id, title }) => (
            <li key={id}>
              <Group gap="xs" justify="space-between">
                {title}
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Unlink ${title}`}
                  loading={unlink.isPending && unlink.variables === id}
                  onClick={() => unlink.mutate(id)}
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              </Group>
            </li>
          ))}
        </ul>
      )}
      {code.data ? (
        <Stack gap={4} role="status">
          <Text size="sm">
            Post this within 30 minutes in the group that{' '}
            {code.data.bot_name ? (
              <Anchor
                href={`https://t.me/${code.data.bot_name}?start=${code.data.code}`}
                target="_blank"
                rel="noreferrer"
              >
                @{code.data.bot_name}
              </Anchor>
            ) : (
              'the bot'
            )}{' '}
            is in, in the channel that it is an admin of, or in your chat with it. The chat appears above.
          </Text>
          <Group gap="xs">
            <Code>/link {code.data.code}</Code>
            <CopyButton value={`/link ${code.data.code}`} />
          </Group>
        </Stack>
      ) : (
        <Group>
          <Button variant="default" size="xs" loading={code.isPending} onClick={() => code.mutate()}>
            Link a chat
          </Button>
        </Group>
      )}
    </Stack>
  );
}
