import type { Project } from '@atoll/contract/projects/entity';
import { Modal, Text, TextInput } from '@mantine/core';
import { required } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';
import { useTransferProject } from '../mutations.ts';

/** Gives other people's access and one's own away, so it asks for the project's name. */
export function TransferProject({ project, onClose }: { project: Project; onClose: () => void }) {
  const transfer = useTransferProject();
  const form = useForm({
    initial: { recipient: '', confirmation: '' },
    checks: {
      recipient: required('A user name or an e-mail address'),
      confirmation: (typed) => (typed.trim() === project.name ? null : 'Must be the name of the project'),
    },
    submit: async ({ recipient }) => {
      await transfer.mutateAsync({ id: project.id, recipient: recipient.trim() });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Transfer ownership">
      <Form form={form}>
        <Text size="sm">
          The new owner gets “{project.name}” with its files, versions and settings. You lose access unless they share
          it with you{project.visibility === 'private' ? ': the project disappears from your list' : ''}.
        </Text>
        <TextInput
          label="New owner"
          description="Their user name or e-mail address"
          autoComplete="off"
          data-autofocus
          {...form.text('recipient')}
        />
        <TextInput label={`Type “${project.name}” to confirm`} autoComplete="off" {...form.text('confirmation')} />
        <FormActions form={form} color="danger" onClose={onClose}>
          Transfer ownership
        </FormActions>
      </Form>
    </Modal>
  );
}
