import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, client } from '../../platform/client.ts';
import type { AutomationSearch, ScheduleValues } from './model.ts';

/** What a schedule is set on: a file of a project, or its publication. */
export type ScheduleSubject =
  | { projectId: string; fileId: string; publicationId?: undefined }
  | { publicationId: string; projectId: string; fileId?: undefined };

export const schedulesOnPage = 20;

export const schedulesQuery = ({ search, state, page }: AutomationSearch) =>
  api.schedules.list.queryOptions({
    input: { search: search || undefined, state, page: page ?? 1, page_size: schedulesOnPage },
    placeholderData: keepPreviousData,
  });

export const scheduleQuery = (subject: ScheduleSubject) =>
  queryOptions({
    queryKey: [...api.schedules.key(), 'of', subject],
    queryFn: () =>
      subject.publicationId === undefined
        ? client.schedules.ofFile({ id: subject.projectId, fileId: subject.fileId })
        : client.schedules.ofPublication({ id: subject.publicationId }),
    staleTime: 0,
  });

export const previewQuery = (values: ScheduleValues) =>
  api.schedules.preview.queryOptions({
    input: { schedule: { ...values, enabled: true } },
    placeholderData: keepPreviousData,
    retry: false,
  });

export const firingsQuery = (id: string, page: number) =>
  api.schedules.firings.queryOptions({ input: { id, page, page_size: 10 }, placeholderData: keepPreviousData });
