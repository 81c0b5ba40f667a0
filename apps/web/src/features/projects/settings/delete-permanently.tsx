import type { Project } from '@atoll/contract/projects/entity';
import { Button, Group, Modal, Text } from '@mantine/core';
import { useDeletePermanently } from '../mutations.ts';

/** The one deletion that cannot be undone asks first. */
export function DeletePermanently({ project, onClose }: { project: Project; onClose: () => void }) {
  const remove = useDeletePermanently();
  return (
    <Modal opened onClose={onClose} title="Delete permanently?" size="sm">
      <Text mb="md">“{project.name}”, its files and all their versions will be deleted. You cannot restore them.</Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          color="danger"
          loading={remove.isPending}
          onClick={() => remove.mutate(project, { onSettled: onClose })}
        >
          Delete permanently
        </Button>
      </Group>
    </Modal>
  );
}
