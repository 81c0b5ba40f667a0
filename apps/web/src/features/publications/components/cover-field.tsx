import { Button, FileButton, Group, Input, Menu, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { pictureTypes, uploadPicture } from '../../../platform/upload.ts';
import type { PublishableCell } from '../queries.ts';
import classes from './publish.module.css';

export type CoverChoice =
  | { kind: 'keep' | 'none' }
  | { kind: 'upload'; uploadId: string; picture: string }
  | { kind: 'cell'; cellId: string; picture: string };

interface CoverFieldProps {
  choice: CoverChoice;
  onChange(choice: CoverChoice): void;
  /** The cover it has now. */
  present: string | null;
  cells: PublishableCell[];
  error?: string;
}

export function CoverField({ choice, onChange, present, cells, error }: CoverFieldProps) {
  const upload = useMutation({
    mutationFn: uploadPicture,
    onSuccess: (uploadId, file) => onChange({ kind: 'upload', uploadId, picture: URL.createObjectURL(file) }),
  });
  const shown = 'picture' in choice ? choice.picture : choice.kind === 'keep' ? present : null;
  const pictures = cells.flatMap(({ id, line, picture }) => (picture ? [{ id, line, picture }] : []));
  return (
    <Input.Wrapper
      label="Cover"
      labelElement="div"
      error={error ?? (upload.error ? messageOf(upload.error) : undefined)}
    >
      <Group gap="sm">
        {shown && <img src={shown} alt="" className={classes.cover} />}
        <FileButton accept={pictureTypes.join(',')} onChange={(file) => file && upload.mutate(file)}>
          {(props) => (
            <Button size="xs" variant="default" loading={upload.isPending} {...props}>
              {shown ? 'Change picture' : 'Upload picture'}
            </Button>
          )}
        </FileButton>
        {pictures.length > 0 && (
          <Menu position="bottom-start" withinPortal={false}>
            <Menu.Target>
              <Button size="xs" variant="default">
                Use the picture of a cell
              </Button>
            </Menu.Target>
            <Menu.Dropdown className={classes.pictures}>
              {pictures.map(({ id, line, picture }) => (
                <Menu.Item key={id} onClick={() => onChange({ kind: 'cell', cellId: id, picture })}>
                  <img src={picture} alt="" />
                  <span>{line}</span>
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        {shown ? (
          <Button size="xs" variant="subtle" color="gray" onClick={() => onChange({ kind: 'none' })}>
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
