import { Button, type ButtonProps } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { askNewProject } from '../new-project.ts';

export function NewProjectButton(props: ButtonProps) {
  return (
    <Button leftSection={<IconPlus size={16} />} onClick={askNewProject} {...props}>
      New project
    </Button>
  );
}
