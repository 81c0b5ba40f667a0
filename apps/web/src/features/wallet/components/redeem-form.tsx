import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../../platform/client.ts';
import { required } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { InlineForm, SubmitButton } from '../../../ui/form-parts.tsx';
import { toast } from '../../../ui/toast.ts';
import { unitWords } from '../model.ts';

export function RedeemForm() {
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { code: '' },
    checks: { code: required('A code') },
    submit: async ({ code }) => {
      const { units } = await client.wallet.redeem({ code });
      form.set('code', '');
      toast(`Voucher redeemed: ${unitWords(units)} added.`);
      await queryClient.invalidateQueries({ queryKey: api.wallet.key() });
    },
  });
  const { onBlur: _, ...code } = form.text('code');
  return (
    <InlineForm form={form}>
      <TextInput
        label="Voucher code"
        placeholder="XXXXX-XXXXX-XXXXX-XXXXX"
        maxLength={100}
        autoComplete="off"
        {...code}
      />
      <SubmitButton pending={form.pending} variant="default">
        Redeem voucher
      </SubmitButton>
    </InlineForm>
  );
}
