import type { Settings } from '@atoll/contract/account/entity';
import { Button, FileButton, Group, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { pictureTypes, refusePicture, uploadPicture } from '../../../platform/upload.ts';
import { toast } from '../../../ui/toast.ts';
import { PersonAvatar } from '../../session/person-avatar.tsx';
import { useSession } from '../../session/queries.ts';
import { useSaveSettings } from '../mutations.ts';

const photographs = pictureTypes.filter((type) => type !== 'image/svg+xml').join(',');

/** The picture appears as soon as it is chosen; the upload follows and says when it fails. */
export function AvatarField({ settings }: { settings: Settings }) {
  const session = useSession();
  const save = useSaveSettings();
  const [preview, setPreview] = useState<string | null>(null);
  const [icon, setIcon] = useState(settings.avatar_icon ?? '');
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const refusal = refusePicture(file);
      if (refusal) throw new Error(refusal);
      setPreview(URL.createObjectURL(file));
      await save.mutateAsync({ avatar_upload_id: await uploadPicture(file) });
    },
    onSuccess: () => toast('Picture saved.'),
    onSettled: () => setPreview(null),
  });
  useEffect(() => () => URL.revokeObjectURL(preview ?? ''), [preview]);

  const saveIcon = () => {
    const next = icon.trim() || null;
    if (next !== settings.avatar_icon) save.mutate({ avatar_icon: next });
  };
  const problem = upload.error ?? save.error;

  return (
    <Group gap={20} align="flex-start">
      <PersonAvatar
        person={{ ...session, avatar: preview ?? settings.avatar, avatar_icon: icon.trim() || null }}
        size={72}
      />
      <div>
        <Group gap={8}>
          <FileButton accept={photographs} onChange={(file) => file && upload.mutate(file)}>
            {(props) => (
              <Button variant="default" loading={upload.isPending} {...props}>
                {settings.avatar ? 'Change picture' : 'Upload picture'}
              </Button>
            )}
          </FileButton>
          {settings.avatar && (
            <Button variant="subtle" color="gray" onClick={() => save.mutate({ avatar_upload_id: null })}>
              Remove
            </Button>
          )}
        </Group>
        {problem && (
          <Text size="sm" c="var(--danger-ink)" mt={8} role="alert">
            {messageOf(problem)}
          </Text>
        )}
      </div>
      <TextInput
        label="Symbol"
        description="A letter or an emoji instead of a picture"
        maxLength={16}
        value={icon}
        onChange={(event) => setIcon(event.currentTarget.value)}
        onBlur={saveIcon}
      />
    </Group>
  );
}
