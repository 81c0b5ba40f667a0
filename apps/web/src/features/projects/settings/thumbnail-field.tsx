import type { Project } from '@atoll/contract/projects/entity';
import { Button, FileButton, Group, Input, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { api, client } from '../../../platform/client.ts';
import { pictureTypes, uploadPicture } from '../../../platform/upload.ts';
import classes from './thumbnail-field.module.css';

/** The picture is kept as soon as it is chosen; the rest of the form waits for its button. */
export function ThumbnailField({ project: { id, thumbnail } }: { project: Project }) {
  const queryClient = useQueryClient();
  const [shown, setShown] = useState(thumbnail);
  const save = useMutation({
    mutationFn: async (file: File | null) =>
      file
        ? client.projects.setThumbnail({ id, upload_id: await uploadPicture(file) })
        : client.projects.removeThumbnail({ id }),
    onSuccess: async (project) => {
      setShown(project.thumbnail);
      await queryClient.invalidateQueries({ queryKey: api.projects.key() });
    },
  });
  return (
    <Input.Wrapper label="Thumbnail" labelElement="div" error={save.error ? messageOf(save.error) : undefined}>
      <Group gap="sm">
        {shown ? <img src={shown} alt="" className={classes.picture} /> : null}
        <FileButton accept={pictureTypes.join(',')} onChange={(file) => file && save.mutate(file)}>
          {(props) => (
            <Button size="xs" variant="default" loading={save.isPending} {...props}>
              {shown ? 'Change picture' : 'Upload picture'}
            </Button>
          )}
        </FileButton>
        {shown ? (
          <Button size="xs" variant="subtle" color="gray" onClick={() => save.mutate(null)}>
            Remove
          </Button>
        ) : (
          <Text size="xs" c="dimmed">
            At most 5 MB
          </Text>
        )}
      </Group>
    </Input.Wrapper>
  );
}
