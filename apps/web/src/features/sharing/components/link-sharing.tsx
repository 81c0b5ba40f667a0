import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { When } from '../../../ui/when.tsx';
import { linkAddress } from '../model.ts';
import { countCopiedLink, useCreateLink, useEndLink } from '../mutations.ts';
import { linkQuery } from '../queries.ts';
import classes from './sharing.module.css';

/** The link is shown once, when it is created: the server keeps no copy of its secret part. */
export function LinkSharing({ project }: { project: ProjectDetail }) {
  const { data: link } = useQuery(linkQuery(project.id));
  const create = useCreateLink(project.id);
  const end = useEndLink(project.id);
  if (link === undefined) return null;
  const address = create.data && link && linkAddress(project.id, create.data.secret);
  return (
    <section className={classes.link} aria-label="View link">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <IconLink size={18} stroke={1.6} aria-hidden />
        <div className={classes.visibility}>
          <strong>{link ? 'Anyone with the view link can view' : 'View link'}</strong>
          <Text size="sm" c="dimmed">
            {link ? (
              <>
                Created <When time={link.created_at} />. Opened by {link.viewers_count}.{' '}
                {!address && 'Renew it to copy it again; the old one stops working.'}
              </>
            ) : (
              'Create a link with which anyone can view this project and its files, without an account.'
            )}
          </Text>
        </div>
        <Group gap={8} wrap="nowrap">
          <Button size="xs" variant="default" loading={create.isPending} onClick={() => create.mutate()}>
            {link ? 'Renew link' : 'Create link'}
          </Button>
          {link && (
            <Button size="xs" variant="subtle" color="danger" loading={end.isPending} onClick={() => end.mutate()}>
              End link
            </Button>
          )}
        </Group>
      </Group>
      {address && (
        <Group gap={8} mt="xs" wrap="nowrap">
          <TextInput
            size="xs"
            readOnly
            aria-label="Address of the view link"
            className={classes.search}
            value={address}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton value={address} label="Copy view link" onCopied={() => countCopiedLink(project.id)} />
        </Group>
      )}
    </section>
  );
}
