import { Button, Modal, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { toastError } from '../../../ui/toast.ts';
import { useContinueAsGuest } from '../mutations.ts';

/** Over the page that was open, so that nothing typed there is lost. */
export function ExpiredDialog() {
  const navigate = useNavigate();
  const continueAsGuest = useContinueAsGuest();
  const [pending, setPending] = useState(false);

  const leave = async (signIn: boolean) => {
    setPending(true);
    try {
      await continueAsGuest();
      const return_to = location.pathname + location.search;
      if (signIn) await navigate({ to: '/sign-in', search: { return_to } });
    } catch (error) {
      toastError(error);
    } finally {
      setPending(false);
    }
  };

  return (
    <Modal opened onClose={() => {}} withCloseButton={false} title="Your session has ended" size="sm">
      <Text c="dimmed" mb="md">
        Sign in again to continue where you left off.
      </Text>
      <Button fullWidth mb={8} loading={pending} onClick={() => leave(true)} data-autofocus>
        Sign in again
      </Button>
      <Button fullWidth variant="default" disabled={pending} onClick={() => leave(false)}>
        Continue as a guest
      </Button>
    </Modal>
  );
}
