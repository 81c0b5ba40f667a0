import type { ThemePicture } from '@atoll/contract/theme/entity';
import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { pictureTypes, uploadPicture } from '../../../platform/upload.ts';
import type { Draft } from '../draft.ts';
import { pictureNames, pictures } from '../model.ts';
import classes from './pictures-part.module.css';

export function PicturesPart({ draft }: { draft: Draft }) {
  return (
    <Stack gap={20}>
      <Text size="sm" c="dimmed">
        PNG, JPEG, GIF, WebP, AVIF or SVG, at most 5 MB each.
      </Text>
      {pictureNames.map((name) => (
        <PictureField key={name} name={name} draft={draft} />
      ))}
    </Stack>
  );
}

function PictureField({ name, draft }: { name: ThemePicture; draft: Draft }) {
  const { label, description } = pictures[name];
  const address = draft.theme[name];
  const mode = name.startsWith('dark_') ? 'dark' : 'light';
  const upload = useMutation({
    mutationFn: async (file: File) =>
      draft.choose(name, { uploadId: await uploadPicture(file), preview: URL.createObjectURL(file) }),
  });
  return (
    <div className={classes.field}>
      <div className={classes.frame} style={{ background: draft.theme.palettes[mode].background }}>
        {address ? (
          <img src={address} alt={`${label}, current`} />
        ) : (
          <span style={{ color: draft.theme.palettes[mode].muted }}>None</span>
        )}
      </div>
      <div>
        <Text fw={500}>{label}</Text>
        <Text size="sm" c="dimmed" mb={8}>
          {description}
        </Text>
        <Group gap={8}>
          <FileButton accept={pictureTypes.join(',')} onChange={(file) => file && upload.mutate(file)}>
            {(props) => (
              <Button size="xs" variant="default" loading={upload.isPending} aria-label={`Upload: ${label}`} {...props}>
                {address ? 'Replace' : 'Upload'}
              </Button>
            )}
          </FileButton>
          {address && (
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              aria-label={`Remove: ${label}`}
              onClick={() => draft.choose(name, null)}
            >
              Remove
            </Button>
          )}
        </Group>
        {upload.error && (
          <Text size="sm" c="var(--danger-ink)" mt={8} role="alert">
            {messageOf(upload.error)}
          </Text>
        )}
      </div>
    </div>
  );
}
