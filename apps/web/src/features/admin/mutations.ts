import type { Session } from '@atoll/contract/session/entity';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../platform/client.ts';
import { pauseRealtime } from '../../platform/realtime/realtime.ts';
import { toast, toastError } from '../../ui/toast.ts';
import { useArrive } from '../session/mutations.ts';

/** One act of an admin: what it changed shows in every list, and in the log. */
export function useAdminAct<Input>(act: (input: Input) => Promise<unknown>, done?: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: async () => {
      if (done) toast(done);
      await Promise.all(
        [api.admin.key(), api.wallet.key()].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      );
    },
  });
}

/** The same from a button that has no form to show the failure in. */
export function useAdminButton<Input>(act: (input: Input) => Promise<unknown>, failure: string, done?: string) {
  const mutation = useAdminAct(act, done);
  return {
    ...mutation,
    mutate: (input: Input) => mutation.mutate(input, { onError: (error) => toastError(error, failure) }),
  };
}

/** The connection ends with the session it was opened in, as it is meant to. */
async function changeSession(change: () => Promise<Session>): Promise<Session> {
  const goOn = pauseRealtime();
  return change().catch((error: unknown) => {
    goOn();
    throw error;
  });
}

export function useMask() {
  const arrive = useArrive();
  return async (id: string, reason: string) =>
    arrive(await changeSession(() => client.admin.mask({ id, reason })), '/dashboard');
}

export function useUnmask() {
  const arrive = useArrive();
  return useMutation({
    mutationFn: async (userId: string) =>
      arrive(await changeSession(() => client.admin.unmask({})), `/admin/users/${userId}`),
    onError: (error) => toastError(error, 'Could not return to your account'),
  });
}
