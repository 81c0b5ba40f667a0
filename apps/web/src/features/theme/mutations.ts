import type { Theme, ThemePicture } from '@atoll/contract/theme/entity';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../platform/api-error.ts';
import { client } from '../../platform/client.ts';
import { uploadPicture } from '../../platform/upload.ts';
import { toast, toastError, toastWithUndo } from '../../ui/toast.ts';
import type { Draft } from './draft.ts';
import { pictureNames, toUpdate } from './model.ts';
import { themeQuery } from './queries.ts';

export function useSaveTheme(saved: Theme, draft: Draft) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const uploads = Object.entries(draft.chosen).map(([name, choice]) => [name, choice?.uploadId ?? null]);
      return client.theme.update({ update: toUpdate(saved, draft.theme), upload_ids: Object.fromEntries(uploads) });
    },
    onSuccess: (theme) => {
      queryClient.setQueryData(themeQuery.queryKey, theme);
      draft.discard();
      toast('Theme saved.');
    },
    onError: (error) => {
      if (error instanceof ApiError) draft.setErrors(error.fields);
      toastError(error, 'Could not save the theme');
    },
  });
}

/** Back to the theme that ships, with a way back from there. */
export function useResetTheme() {
  const queryClient = useQueryClient();
  const show = (theme: Theme) => queryClient.setQueryData(themeQuery.queryKey, theme);
  return useMutation({
    mutationFn: async (before: Theme) => ({ before, shipped: await client.theme.reset({}) }),
    onSuccess: ({ before, shipped }) => {
      show(shipped);
      toastWithUndo('Theme reset to default.', () => restore(before, shipped).then(show, toastError));
    },
    onError: (error) => toastError(error, 'Could not reset the theme'),
  });
}

async function restore(before: Theme, shipped: Theme): Promise<Theme> {
  const lost = pictureNames.filter((name) => before[name] !== shipped[name]);
  const uploads = await Promise.all(lost.map(async (name) => [name, await uploadAgain(name, before[name])] as const));
  return client.theme.update({ update: toUpdate(shipped, before), upload_ids: Object.fromEntries(uploads) });
}

/** A picture lives under its address until the next cleaning, so it can be fetched and kept once more. */
async function uploadAgain(name: ThemePicture, address: string | null): Promise<string | null> {
  if (!address) return null;
  const blob = await fetch(address).then((answer) => answer.blob());
  return uploadPicture(new File([blob], name, { type: blob.type }));
}
