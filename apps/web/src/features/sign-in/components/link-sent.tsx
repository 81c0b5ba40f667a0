import { Button, Text } from '@mantine/core';
import { AuthHeading } from '../auth-parts.tsx';

/** Says the same whether or not an account exists, as the server does. */
export function LinkSent({ email, onBack, what = 'sign in' }: { email: string; onBack: () => void; what?: string }) {
  return (
    <div role="status">
      <AuthHeading title="Check your mail">
        If {email} has an account here, a link to {what} was sent. It works once and expires after a short time.
      </AuthHeading>
      <Text size="sm" c="dimmed" ta="center" mb="md">
        Not there? Check your spam folder, or try again in a minute.
      </Text>
      <Button variant="default" fullWidth onClick={onBack}>
        Use another address
      </Button>
    </div>
  );
}
