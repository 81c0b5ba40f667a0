import { Modal, Text, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';

interface ReasonDialogProps {
  title: string;
  /** What will happen. */
  children: ReactNode;
  label: string;
  description?: string;
  action: string;
  isDangerous?: boolean;
  onClose(): void;
  submit(reason: string): Promise<unknown>;
}

/** Says what will happen, and asks why. */
export function ReasonDialog(props: ReasonDialogProps) {
  const form = useForm({
    initial: { reason: '' },
    checks: { reason: (value) => (value.trim() ? null : 'Say why') },
    submit: async ({ reason }) => {
      await props.submit(reason.trim());
      props.onClose();
    },
  });
  return (
    <Modal opened onClose={props.onClose} title={props.title}>
      <Form form={form}>
        <Text size="sm">{props.children}</Text>
        <Textarea
          label={props.label}
          description={props.description}
          autosize
          minRows={2}
          maxLength={500}
          data-autofocus
          {...form.text('reason')}
        />
        <FormActions form={form} {...(props.isDangerous && { color: 'danger' })} onClose={props.onClose}>
          {props.action}
        </FormActions>
      </Form>
    </Modal>
  );
}
