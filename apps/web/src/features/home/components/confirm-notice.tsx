import { Alert, Button, Group, Text } from '@mantine/core';
import { IconMailExclamation } from '@tabler/icons-react';
import { useResendConfirmation } from '../../account/mutations.ts';
import { useSession } from '../../session/queries.ts';
import { MailMissing, useIsMailDelivered } from '../../sign-in/mail-missing.tsx';

export function ConfirmNotice() {
  const session = useSession();
  const isMailDelivered = useIsMailDelivered();
  const resend = useResendConfirmation();
  if (session.is_guest || !session.email || session.is_email_confirmed) return null;
  return (
    <Alert color="warning" mb="md" icon={<IconMailExclamation size={18} />}>
      {isMailDelivered ? (
        <Group justify="space-between" gap={8}>
          <Text size="sm">
            Please confirm <strong>{session.email}</strong> with the link we mailed you, so that you can always get back
            in.
          </Text>
          <Button
            size="xs"
            variant="default"
            loading={resend.isPending}
            disabled={resend.isSuccess}
            onClick={() => resend.mutate()}
          >
            {resend.isSuccess ? 'Sent' : 'Send it again'}
          </Button>
        </Group>
      ) : (
        <MailMissing />
      )}
    </Alert>
  );
}
