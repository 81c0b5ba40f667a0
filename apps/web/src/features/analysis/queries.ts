import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';

/** How far back each grouping looks. */
export const ranges = { day: 29, week: 83, month: 364 };
export type Group = keyof typeof ranges;

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

export const analyticsQuery = (id: string, group_by: Group) => {
  const now = Date.now();
  return api.analysis.analytics.queryOptions({
    input: { id, group_by, from: dayOf(now - ranges[group_by] * 86_400_000), to: dayOf(now) },
    placeholderData: keepPreviousData,
  });
};
export const provenanceQuery = (id: string) => api.analysis.provenance.queryOptions({ input: { id } });
export const inheritanceQuery = (id: string) => api.analysis.inheritance.queryOptions({ input: { id } });
