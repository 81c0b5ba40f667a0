import { Button, FileButton, Group, Input, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { pictureTypes } from '../platform/upload.ts';

interface PictureFieldProps {
  label: string;
  error: ReactNode;
  /** The picture it has, or null. */
  shown: ReactNode;
  pending: boolean;
  onChoose(file: File): void;
  onRemove(): void;
  /** Other ways to choose one. */
  children?: ReactNode;
}

export function PictureField({ label, error, shown, pending, onChoose, onRemove, children }: PictureFieldProps) {
  return (
    <Input.Wrapper label={label} labelElement="div" error={error}>
      <Group gap="sm">
        {shown}
        <FileButton accept={pictureTypes.join(',')} onChange={(file) => file && onChoose(file)}>
          {(props) => (
            <Button size="xs" variant="default" loading={pending} {...props}>
              {shown ? 'Change picture' : 'Upload picture'}
            </Button>
          )}
        </FileButton>
        {children}
        {shown ? (
          <Button size="xs" variant="subtle" color="gray" onClick={onRemove}>
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
