import { createFileRoute } from '@tanstack/react-router';
import { GalleryPage } from '../../features/publications/components/gallery-page.tsx';
import { parseGallerySearch } from '../../features/publications/model.ts';
import { publicationListQuery } from '../../features/publications/queries.ts';

export const Route = createFileRoute('/_shell/publications/')({
  validateSearch: parseGallerySearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(publicationListQuery({}, deps)),
  component: () => <GalleryPage place={{}} search={Route.useSearch()} />,
});
