import type { ExchangeConnection } from '@atoll/contract/trading/entity';
import { armingWord } from '@atoll/contract/trading/values';
import { Modal, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../../platform/client.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';
import { toast } from '../../../ui/toast.ts';
import { EnvironmentBadge } from '../environment-badge.tsx';
import classes from './trading.module.css';

const amountCheck = (value: string) => (/^\d+(\.\d+)?$/.test(value.trim()) ? null : 'Enter a number');

/** Real money is traded only after this, and within these limits. */
export function ArmDialog({ connection, onClose }: { connection: ExchangeConnection; onClose(): void }) {
  const queryClient = useQueryClient();
  const form = useForm({
    initial: {
      max_order: connection.limits.max_order ?? '',
      max_day: connection.limits.max_day ?? '',
      confirmation: '',
    },
    checks: {
      max_order: amountCheck,
      max_day: amountCheck,
      confirmation: (value) => (value === armingWord ? null : `Type ${armingWord}`),
    },
    submit: async ({ max_order, max_day }) => {
      await client.trading.arm({ id: connection.id, confirmation: armingWord, max_order, max_day });
      toast('Armed: orders trade real money.');
      await queryClient.invalidateQueries({ queryKey: api.trading.connections.key() });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Trade with real money">
      <Form form={form}>
        <Text size="sm">
          <EnvironmentBadge environment={connection.environment} /> Orders will spend real money, within these limits.
        </Text>
        <div className={classes.pair}>
          <TextInput label="Most for one order, USDT" inputMode="decimal" {...form.text('max_order')} />
          <TextInput label="Most in a day, USDT" inputMode="decimal" {...form.text('max_day')} />
        </div>
        <TextInput label={`Type ${armingWord} to confirm`} autoComplete="off" {...form.text('confirmation')} />
        <FormActions form={form} color="danger">
          Arm
        </FormActions>
      </Form>
    </Modal>
  );
}
