import type { Project } from '@atoll/contract/projects/entity';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { api, client } from '../../../platform/client.ts';
import { uploadPicture } from '../../../platform/upload.ts';
import { PictureField } from '../../../ui/picture-field.tsx';
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
    <PictureField
      label="Thumbnail"
      error={save.error ? messageOf(save.error) : undefined}
      shown={shown && <img src={shown} alt="" className={classes.picture} />}
      pending={save.isPending}
      onChoose={save.mutate}
      onRemove={() => save.mutate(null)}
    />
  );
}
