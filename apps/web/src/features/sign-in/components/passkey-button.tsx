import type { Session } from '@atoll/contract/session/entity';
import { Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { toastError } from '../../../ui/toast.ts';
import { arePasskeysSupported, isDismissed, signInWithPasskey } from '../passkey.ts';

export function PasskeyButton({ onSignedIn }: { onSignedIn(session: Session): void }) {
  const signIn = useMutation({
    mutationFn: () => signInWithPasskey(),
    onSuccess: onSignedIn,
    onError: (error) => {
      if (!isDismissed(error)) toastError(error, 'The passkey did not work');
    },
  });
  if (!arePasskeysSupported()) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconFingerprint size={16} />}
      loading={signIn.isPending}
      onClick={() => signIn.mutate()}
    >
      Use a passkey
    </Button>
  );
}
