import type { Project } from '@atoll/contract/projects/entity';
import { Button, Group, Modal, Text } from '@mantine/core';
import { useDeleteForGood } from '../mutations.ts';

/** The one deletion that cannot be undone asks first. */
export function DeleteForGood({ project, onClose }: { project: Project; onClose: () => void }) {
  const remove = useDeleteForGood();
  return (
    <Modal opened onClose={onClose} title="Delete for good?" size="sm">
      <Text mb="md">“{project.name}”, its files and all their versions will be gone. Nobody can bring them back.</Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep it
        </Button>
        <Button
          color="danger"
          loading={remove.isPending}
          onClick={() => remove.mutate(project, { onSettled: onClose })}
        >
          Delete for good
        </Button>
      </Group>
    </Modal>
  );
}
