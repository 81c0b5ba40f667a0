import { createFileRoute } from '@tanstack/react-router';
import { GalleryPage } from '../../features/publications/components/gallery-page.tsx';
import { parseGallerySearch } from '../../features/publications/model.ts';
import { publicationListQuery } from '../../features/publications/queries.ts';

const place = { type: 'report' } as const;

export const Route = createFileRoute('/_shell/reports/')({
  staticData: { title: 'Reports' },
  validateSearch: parseGallerySearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(publicationListQuery(place, deps)),
  component: () => <GalleryPage place={place} search={Route.useSearch()} />,
});
