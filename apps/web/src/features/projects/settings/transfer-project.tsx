import type { Project } from '@atoll/contract/projects/entity';
import { personName } from '@atoll/contract/users/names';
import { Button, Modal, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { required } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';
import { useOfferProject, useWithdrawOffer } from '../offers/mutations.ts';
import { offersQuery } from '../queries.ts';

interface TransferProjectProps {
  project: Project;
  onClose(): void;
}

/** The next owner can accept it at once, and that ends other people's access and one's own, so it asks for the project's name. */
export function TransferProject({ project, onClose }: TransferProjectProps) {
  const offers = useQuery(offersQuery);
  const open = offers.data?.entries.find((offer) => offer.project.id === project.id);
  const withdraw = useWithdrawOffer(project);
  const offer = useOfferProject();
  const form = useForm({
    initial: { recipient: '', confirmation: '' },
    checks: {
      recipient: required('A user name or an e-mail address'),
      confirmation: (typed) => (typed.trim() === project.name ? null : 'Must be the name of the project'),
    },
    submit: async ({ recipient }) => {
      await offer.mutateAsync({ id: project.id, recipient: recipient.trim() });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Transfer ownership">
      {open ? (
        <>
          <Text size="sm" mb="md">
            Waiting for {personName(open.to)} to accept “{project.name}”.
          </Text>
          <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
            Withdraw offer
          </Button>
        </>
      ) : (
        <Form form={form}>
          <Text size="sm">
            The new owner gets “{project.name}” with its files, versions and settings once they accept. Until then they
            can view it, and you can withdraw the offer.
          </Text>
          <Text size="sm">
            When they accept, you lose access unless they share it with you. Your kernels and runs in it stop, and your
            schedules pause. Strategies that you run in it have to be stopped first.
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
            Send offer
          </FormActions>
        </Form>
      )}
    </Modal>
  );
}
