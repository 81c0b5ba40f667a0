import { createFileRoute } from '@tanstack/react-router';
import { GalleryPage } from '../../features/publications/components/gallery-page.tsx';
import { parseGallerySearch } from '../../features/publications/model.ts';
import { loadGallery, placeOf } from '../../features/publications/queries.ts';

export const Route = createFileRoute('/_shell/publications/category/$category/$type')({
  validateSearch: parseGallerySearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params, deps }) => loadGallery(queryClient, params, deps),
  component: () => <GalleryPage place={placeOf(Route.useParams())} search={Route.useSearch()} />,
});
