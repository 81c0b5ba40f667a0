import { Button } from '@mantine/core';
import { toastProjectError, useCreateProject } from '../../../projects/mutations.ts';
import { useSession } from '../../../session/queries.ts';

/** A project with a strategy that can be tested at once. */
export function NewStrategy() {
  const { features } = useSession();
  const create = useCreateProject();
  if (features?.projects?.enabled !== true) return null;
  const start = () =>
    create.mutate(
      { kind: 'strategy', create_main_file: true, name: 'Untitled strategy' },
      { onError: (error) => toastProjectError(error, 'Could not create the strategy') },
    );
  return (
    <Button loading={create.isPending} onClick={start}>
      New strategy
    </Button>
  );
}
