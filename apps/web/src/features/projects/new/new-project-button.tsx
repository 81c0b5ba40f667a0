import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { askNewProject } from '../new-project.ts';

export function NewProjectButton() {
  return (
    <Button leftSection={<IconPlus size={16} />} onClick={askNewProject}>
      New project
    </Button>
  );
}
