import type { ContentKind, PublicationDetail } from '@atoll/contract/publications/entity';
import type { RenderFormat } from '@atoll/contract/reports/formats';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { notFound, redirect } from '@tanstack/react-router';
import { ApiError } from '../../platform/api-error.ts';
import { api } from '../../platform/client.ts';
import { authHeaders } from '../../platform/credentials.ts';
import { apiBase, send } from '../../platform/http.ts';
import { reportRoute } from '../publications/model.ts';
import { publicationQuery } from '../publications/queries.ts';
import type { ReportsSearch } from './model.ts';

export const reportsOnPage = 24;

export const reportListQuery = ({ search, page = 0 }: ReportsSearch, own = false) =>
  api.reports.list.queryOptions({
    input: { search, page, page_size: reportsOnPage, own },
    placeholderData: keepPreviousData,
  });

export const reportSettingsQuery = (id: string) => api.reports.get.queryOptions({ input: { id } });

export interface ReportFile {
  content: Blob;
  name: string;
  pages: number;
  failedParts: { cellId: string; reason: string }[];
}

/** The publication as a document, drawn by the server. */
export async function fetchReport(id: string, format: RenderFormat, signal?: AbortSignal): Promise<ReportFile> {
  const answer = await send(`${apiBase()}/v1/external_publications/${id}/download?format=${format}`, {
    headers: authHeaders(),
    credentials: 'same-origin',
    signal: signal ?? null,
  });
  const named = /filename\*=UTF-8''([^;]+)/i.exec(answer.headers.get('content-disposition') ?? '')?.[1];
  return {
    content: await answer.blob(),
    name: named ? decodeURIComponent(named) : `report.${format}`,
    pages: Number(answer.headers.get('x-pages')),
    failedParts: JSON.parse(decodeURIComponent(answer.headers.get('x-failed-parts') ?? '[]')),
  };
}

/** `printed` changes with everything that is printed; what was shown before stays until the new one is there. */
export const reportFileQuery = (id: string, printed: string) =>
  queryOptions({
    queryKey: ['report-file', id, printed],
    queryFn: ({ signal }) => fetchReport(id, 'pdf', signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });

/** While it is drawn, how far that is can only be asked. */
export const reportProgressQuery = (id: string, isDrawing: boolean) =>
  api.reports.progress.queryOptions({
    input: { id },
    enabled: isDrawing,
    refetchInterval: isDrawing ? 700 : false,
    staleTime: 0,
    gcTime: 0,
  });

/** The page is titled by the publication; an earlier address leads to the present one. */
export async function loadReport(
  queryClient: QueryClient,
  kind: ContentKind,
  slug: string,
): Promise<{ title: string }> {
  const publication: PublicationDetail = await queryClient
    .ensureQueryData(publicationQuery(slug))
    .catch((error: unknown) => {
      throw error instanceof ApiError && (error.status === 404 || error.status === 422) ? notFound() : error;
    });
  if (publication.content_kind !== kind) throw notFound();
  if (publication.slug !== slug)
    throw redirect({ to: reportRoute(publication.content_kind), params: { slug: publication.slug }, replace: true });
  return { title: publication.title };
}
