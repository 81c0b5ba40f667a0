import type { Preferences } from '@atoll/contract/account/entity';
import type { ThemeMode } from '@atoll/contract/fields';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../platform/client.ts';
import { useMode } from '../../ui/theme/theme-context.tsx';
import { toastError } from '../../ui/toast.ts';
import { sessionQuery } from '../session/queries.ts';

/** Shown at once; taken back with a reason when the server refuses. */
export function useSavePreferences() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (update: Partial<Preferences>) => client.account.updatePreferences(update),
    onMutate: (update) => {
      const before = queryClient.getQueryData(sessionQuery.queryKey);
      if (before?.preferences) {
        const preferences = { ...before.preferences, ...update };
        queryClient.setQueryData(sessionQuery.queryKey, { ...before, preferences });
      }
      return before;
    },
    onError: (error, _update, before) => {
      if (before) queryClient.setQueryData(sessionQuery.queryKey, before);
      toastError(error, 'Could not save the setting');
    },
  });
}

/** Changes the look here and, for the next device, in the preferences. Null is the workspace's own choice. */
export function useChooseMode() {
  const { mode, setMode } = useMode();
  const save = useSavePreferences();
  const choose = (wanted: ThemeMode | null) => {
    setMode(wanted);
    save.mutate({ theme_mode: wanted ?? 'system', code_theme: wanted });
  };
  return { mode, choose };
}
