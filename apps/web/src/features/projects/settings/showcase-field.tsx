import type { Project, ShowcaseMedia } from '@atoll/contract/projects/entity';
import { maxShowcaseMedia } from '@atoll/contract/projects/kinds';
import { ActionIcon, Button, FileButton, Group, Input, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { api, client } from '../../../platform/client.ts';
import { mediaTypes, uploadMedia } from '../../../platform/upload.ts';
import classes from '../about/showcase.module.css';
import { isFilm } from '../about/showcase.tsx';

const icon = { size: 15, stroke: 1.7 };

/** Like the thumbnail: kept as soon as it is chosen, moved or removed. */
export function ShowcaseField({ project: { id, showcase_media } }: { project: Project }) {
  const queryClient = useQueryClient();
  const [media, setMedia] = useState(showcase_media);
  const change = useMutation({
    mutationFn: (work: () => Promise<Project>) => work(),
    onSuccess: async (project) => {
      setMedia(project.showcase_media);
      await queryClient.invalidateQueries({ queryKey: api.projects.key() });
    },
  });
  const add = (file: File) =>
    change.mutate(async () => client.projects.addShowcaseMedia({ id, upload_id: await uploadMedia(file) }));
  const remove = (media_id: string) => change.mutate(() => client.projects.removeShowcaseMedia({ id, media_id }));
  const move = (from: number, to: number) => {
    const moved = media.toSpliced(from, 1).toSpliced(to, 0, media[from] as ShowcaseMedia);
    setMedia(moved);
    change.mutate(() => client.projects.orderShowcaseMedia({ id, media_ids: moved.map((each) => each.id) }), {
      onError: () => setMedia(media),
    });
  };
  return (
    <Input.Wrapper
      label="Showcase"
      labelElement="div"
      description="Pictures and videos shown on the project page"
      error={change.error ? messageOf(change.error) : undefined}
      inputWrapperOrder={['label', 'description', 'error', 'input']}
    >
      {media.length > 0 && (
        <ul className={classes.list}>
          {media.map((each, index) => {
            const what = `${isFilm(each) ? 'video' : 'picture'} ${index + 1}`;
            return (
              <li key={each.id} className={classes.item}>
                {isFilm(each) ? (
                  <video src={`${each.url}#t=0.1`} muted preload="metadata" className={classes.small} aria-hidden />
                ) : (
                  <img src={each.url} alt="" className={classes.small} />
                )}
                <span>{what.charAt(0).toUpperCase() + what.slice(1)}</span>
                <ActionIcon
                  aria-label={`Move ${what} up`}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                >
                  <IconArrowUp {...icon} />
                </ActionIcon>
                <ActionIcon
                  aria-label={`Move ${what} down`}
                  disabled={index === media.length - 1}
                  onClick={() => move(index, index + 1)}
                >
                  <IconArrowDown {...icon} />
                </ActionIcon>
                <ActionIcon aria-label={`Remove ${what}`} onClick={() => remove(each.id)}>
                  <IconTrash {...icon} />
                </ActionIcon>
              </li>
            );
          })}
        </ul>
      )}
      <Group gap="sm" mt={6}>
        <FileButton accept={mediaTypes.join(',')} onChange={(file) => file && add(file)}>
          {(props) => (
            <Button
              size="xs"
              variant="default"
              loading={change.isPending}
              disabled={media.length >= maxShowcaseMedia}
              {...props}
            >
              Add picture or video
            </Button>
          )}
        </FileButton>
        <Text size="xs" c="dimmed">
          {media.length >= maxShowcaseMedia ? `At most ${maxShowcaseMedia}` : 'At most 25 MB each, videos as MP4'}
        </Text>
      </Group>
    </Input.Wrapper>
  );
}
