import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { TagsInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../../platform/client.ts';
import { toastError } from '../../../ui/toast.ts';
import { tagsQuery } from '../../projects/queries.ts';

const followedQuery = api.notifications.tagSubscriptions.queryOptions({ input: {} });

/** Tags one follows: what is published with them is told. Only those in use can be followed. */
export function TagsField() {
  const queryClient = useQueryClient();
  const known = useQuery(tagsQuery).data?.entries ?? [];
  const followed = useQuery(followedQuery).data?.entries ?? [];
  const change = useMutation({
    mutationFn: async (names: string[]) => {
      const added = known.filter(({ id, name }) => names.includes(name) && !followed.some((tag) => tag.id === id));
      const gone = followed.filter(({ name }) => !names.includes(name));
      for (const { id } of added) await client.notifications.subscribeToTag({ tag_id: id });
      for (const { id } of gone) await client.notifications.unsubscribeFromTag({ tagId: id });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: followedQuery.queryKey }),
    onError: (error) => toastError(error),
  });
  const shown = change.isPending ? change.variables : followed.map(({ name }) => name);
  return (
    <TagsInput
      label="Tags you follow"
      description="You are notified about new public projects with these tags"
      placeholder={shown.length ? undefined : 'Add a tag'}
      maw={420}
      data={known.map(({ name }) => name)}
      value={shown}
      onChange={(names) => change.mutate(names.filter((name) => known.some((tag) => tag.name === name)))}
    />
  );
}
