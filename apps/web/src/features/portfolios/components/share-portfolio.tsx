import { useQuery } from '@tanstack/react-query';
import { projectQuery } from '../../projects/queries.ts';
import { ShareButton } from '../../sharing/share-button.tsx';

/** A portfolio is a project, and shared as one. */
export function SharePortfolio({ id }: { id: string }) {
  const { data } = useQuery(projectQuery(id));
  return data ? <ShareButton project={data} size="sm" variant="default" /> : null;
}
