import type { SettingsUpdate } from '@atoll/contract/account/entity';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../platform/client.ts';
import { toast, toastError } from '../../ui/toast.ts';
import { sessionQuery } from '../session/queries.ts';
import { settingsQuery } from './queries.ts';

/** Saves profile fields and lets the shell (name, picture) follow. */
export function useSaveSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (update: SettingsUpdate) => client.account.updateSettings(update),
    onSuccess: async (settings) => {
      queryClient.setQueryData(settingsQuery.queryKey, settings);
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
}

export function useResendConfirmation() {
  return useMutation({
    mutationFn: () => client.signIn.requestEmailConfirmation({}),
    onSuccess: () => toast('We sent a new link. Check your mail.'),
    onError: (error) => toastError(error),
  });
}

/** For lists where one entry goes away: the list is asked again, a failure says why. */
export function useRemoval(remove: (id: string) => Promise<unknown>, queryKey: readonly unknown[], done: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey });
      toast(done);
    },
    onError: (error) => toastError(error),
  });
}
