import { Button } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../../platform/client.ts';
import { email as checkEmail } from '../../../ui/checks.ts';
import { toast, toastError } from '../../../ui/toast.ts';

interface MailLinkButtonProps {
  email: string;
  returnTo?: string;
  onSent(email: string): void;
}

export function MailLinkButton({ email, returnTo, onSent }: MailLinkButtonProps) {
  const request = useMutation({
    mutationFn: () => client.signIn.requestLink({ email: email.trim(), return_to: returnTo }),
    onSuccess: () => onSent(email.trim()),
    onError: (error) => toastError(error),
  });
  const ask = () => {
    if (!checkEmail(email)) return request.mutate();
    document.querySelector<HTMLInputElement>('input[name="email"]')?.focus();
    toast('Enter your e-mail address first.');
  };
  return (
    <Button variant="default" leftSection={<IconMail size={16} />} loading={request.isPending} onClick={ask}>
      E-mail me a sign-in link
    </Button>
  );
}
