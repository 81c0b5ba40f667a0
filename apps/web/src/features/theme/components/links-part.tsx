import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { webAddress } from '../../../ui/checks.ts';
import { NothingHere } from '../../../ui/rows.tsx';
import type { Draft } from '../draft.ts';

const most = 12;

export function LinksPart({ draft }: { draft: Draft }) {
  const { links } = draft.theme;
  const change = (index: number, part: Partial<(typeof links)[number]>) =>
    draft.set({ links: links.map((link, at) => (at === index ? { ...link, ...part } : link)) });
  return (
    <Stack>
      {!links.length && <NothingHere>No links yet. Links appear in the footer of every page.</NothingHere>}
      {links.map((link, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a link has no other identity than its place.
        <Group key={index} gap={8} align="flex-start" wrap="nowrap">
          <TextInput
            label="Label"
            flex={2}
            maxLength={60}
            value={link.label}
            error={draft.errorAt(`links.${index}.label`)}
            onChange={(event) => change(index, { label: event.currentTarget.value })}
          />
          <TextInput
            label="Address"
            flex={3}
            placeholder="https://"
            value={link.url}
            error={draft.errorAt(`links.${index}.url`) ?? webAddress(link.url) ?? undefined}
            onChange={(event) => change(index, { url: event.currentTarget.value })}
          />
          <ActionIcon
            mt={28}
            size={28}
            aria-label={`Remove link ${link.label}`}
            onClick={() => draft.set({ links: links.filter((_, at) => at !== index) })}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          disabled={links.length >= most}
          onClick={() => draft.set({ links: [...links, { label: '', url: '' }] })}
        >
          Add link
        </Button>
      </Group>
    </Stack>
  );
}
