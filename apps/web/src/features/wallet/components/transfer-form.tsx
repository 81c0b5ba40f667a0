import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../../../platform/client.ts';
import { useForm } from '../../../ui/form.ts';
import { InlineForm, SubmitButton } from '../../../ui/form-parts.tsx';
import { toast } from '../../../ui/toast.ts';
import { configQuery } from '../../sign-in/queries.ts';
import { unitWords } from '../model.ts';

const directions = [
  { value: 'out', label: 'From the wallet' },
  { value: 'in', label: 'Into the wallet' },
];

/** To and from what is kept for the optional service; nothing where that is off. */
export function TransferForm({ kept }: { kept: number }) {
  const isOn = useQuery(configQuery).data?.integrations.unbounded.enabled ?? false;
  return isOn ? <Transfer kept={kept} /> : null;
}

function Transfer({ kept }: { kept: number }) {
  const queryClient = useQueryClient();
  // Pressed twice, or sent again after a lost answer, it is the same transfer.
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const form = useForm({
    initial: { direction: 'out', units: '' },
    checks: { units: (value) => (/^[1-9]\d*$/.test(value.trim()) ? null : 'Enter a number of units') },
    submit: async ({ direction, units }) => {
      const amount = Number(units) * (direction === 'in' ? 1 : -1);
      await client.wallet.transfer({ amount, request_id: requestId });
      setRequestId(crypto.randomUUID());
      form.set('units', '');
      toast(`${unitWords(Math.abs(amount))} transferred.`);
      await queryClient.invalidateQueries({ queryKey: api.wallet.key() });
    },
  });
  const { onBlur: _, ...units } = form.text('units');
  return (
    <>
      <Text size="sm" c="dimmed">
        {unitWords(kept)} kept for datasets and tokens.
      </Text>
      <InlineForm form={form} aria-label="Transfer units">
        <NativeSelect label="Transfer" data={directions} {...form.text('direction')} />
        <TextInput label="Units" inputMode="numeric" autoComplete="off" {...units} />
        <SubmitButton pending={form.pending} variant="default">
          Transfer
        </SubmitButton>
      </InlineForm>
    </>
  );
}
