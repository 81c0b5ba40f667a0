import type { AccessLevel, ContentKind } from '@atoll/contract/publications/entity';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { notFound, redirect } from '@tanstack/react-router';
import { ApiError } from '../../platform/api-error.ts';
import { api, client } from '../../platform/client.ts';
import { shownOutputs } from '../outputs/model.ts';
import {
  type GalleryPlace,
  type GallerySearch,
  parseCategory,
  parseType,
  placeName,
  publicationsOnPage,
  readingRoute,
  toListQuery,
} from './model.ts';

export const publicationQuery = (slug: string, version?: number) =>
  api.publications.bySlug.queryOptions({ input: { slug, version } });
export const publicationVersionsQuery = (id: string) => api.publications.versions.queryOptions({ input: { id } });

export const liveOutputsQuery = (id: string, version?: number) =>
  api.publications.liveOutputs.queryOptions({ input: { id, version }, staleTime: Number.POSITIVE_INFINITY });

export const publicationListQuery = (place: GalleryPlace, search: GallerySearch) =>
  api.publications.list.queryOptions({ input: toListQuery(place, search), placeholderData: keepPreviousData });
export const publicationCountsQuery = ({ search, tags }: GallerySearch) =>
  api.publications.counts.queryOptions({ input: { search, tags }, placeholderData: keepPreviousData });

/** Of a person, of a team, or with this access and open to the caller. */
export interface PublicationsOf {
  owner?: string;
  team?: string;
  access_level?: AccessLevel;
  content_kind?: ContentKind[];
}

export const publicationsOfQuery = (of: PublicationsOf) =>
  api.publications.list.infiniteOptions({
    input: (page: number) => ({ ...of, page, page_size: publicationsOnPage }),
    initialPageParam: 0,
    getNextPageParam: ({ page, total }) => ((page + 1) * publicationsOnPage < total ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  });

/** For what was typed into the command palette. */
export const publicationSearchQuery = (search: string) =>
  api.publications.list.queryOptions({
    input: { search, page_size: 4 },
    enabled: search.length > 1,
    placeholderData: keepPreviousData,
  });

export const ofProjectQuery = (id: string) => api.publications.ofProject.queryOptions({ input: { id } });

export const ofFileQuery = (fileId: string) =>
  api.publications.ofFile.queryOptions({
    input: { id: fileId },
    staleTime: 0,
  });

export const remotePicturesQuery = (fileId: string) =>
  api.publications.remotePictures.queryOptions({ input: { id: fileId }, staleTime: 0 });

export interface PublishableCell {
  id: string;
  type: string;
  /** Its first line that says something. */
  line: string;
  /** The picture it shows, if it shows one. */
  picture: string | null;
}

export const publishableCellsQuery = (projectId: string, fileId: string) =>
  queryOptions({
    queryKey: ['publishable-cells', fileId],
    queryFn: async (): Promise<PublishableCell[]> => {
      const { cells } = await client.notebooks.get({ id: projectId, fileId });
      return cells.map(({ id, type, source, outputs }) => ({
        id,
        type,
        line:
          source
            .split('\n')
            .find((line) => line.trim())
            ?.replace(type === 'markdown' ? /^#+\s*/ : '', '') ?? '',
        picture: shownOutputs(outputs).find((output) => output.kind === 'image')?.address ?? null,
      }));
    },
    staleTime: 0,
    gcTime: 0,
  });

/** The page is titled by the publication; an earlier address leads to the present one. */
export async function loadPublication(
  queryClient: QueryClient,
  slug: string,
  version: number | undefined,
): Promise<{ title: string }> {
  const publication = await queryClient.ensureQueryData(publicationQuery(slug, version)).catch((error: unknown) => {
    throw error instanceof ApiError && (error.status === 404 || error.status === 422) ? notFound() : error;
  });
  if (publication.slug !== slug)
    throw redirect({
      to: readingRoute(publication.content_kind),
      params: { slug: publication.slug },
      search: { version },
      replace: true,
    });
  return { title: publication.title };
}

export const placeOf = ({ type, category }: { type?: string; category?: string }): GalleryPlace => ({
  type: parseType(type),
  category: parseCategory(category),
});

/** A type or category that does not exist is no place. */
export function loadGallery(
  queryClient: QueryClient,
  params: { type?: string; category?: string },
  search: GallerySearch,
): { title: string } {
  const place = placeOf(params);
  if ((params.type && !place.type) || (params.category && !place.category)) throw notFound();
  void queryClient.prefetchQuery(publicationListQuery(place, search));
  return { title: placeName(place) };
}
