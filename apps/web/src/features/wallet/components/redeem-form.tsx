import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../../platform/client.ts';
import { required } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { FormProblem, SubmitButton } from '../../../ui/form-parts.tsx';
import forms from '../../../ui/styles/forms.module.css';
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
    <form onSubmit={form.send} noValidate>
      <div className={forms.inline}>
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
      </div>
      <FormProblem problem={form.problem} />
    </form>
  );
}
