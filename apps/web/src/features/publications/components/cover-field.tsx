import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { uploadPicture } from '../../../platform/upload.ts';
import { PictureField } from '../../../ui/picture-field.tsx';
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
    <PictureField
      label="Cover"
      error={error ?? (upload.error ? messageOf(upload.error) : undefined)}
      shown={shown && <img src={shown} alt="" className={classes.cover} />}
      pending={upload.isPending}
      onChoose={upload.mutate}
      onRemove={() => onChange({ kind: 'none' })}
    >
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
    </PictureField>
  );
}
