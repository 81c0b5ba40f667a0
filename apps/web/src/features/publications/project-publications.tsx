import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../platform/api-error.ts';
import { NothingHere } from '../../ui/rows.tsx';
import { PublicationCards } from './components/publication-cards.tsx';
import { ofProjectQuery } from './queries.ts';

/** Those that the reader may open. */
export function ProjectPublications({ projectId }: { projectId: string }) {
  const { data, error } = useQuery(ofProjectQuery(projectId));
  if (error) return <NothingHere>{messageOf(error)}</NothingHere>;
  if (data?.entries.length === 0) return <NothingHere>Nothing is published yet.</NothingHere>;
  return <PublicationCards publications={data?.entries} />;
}
