import type { RenderFormat } from '@atoll/contract/reports/formats';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../platform/client.ts';
import { toastError } from '../../ui/toast.ts';
import { fetchReport, reportSettingsQuery } from './queries.ts';

type Update = Omit<Parameters<typeof client.reports.update>[0], 'id'>;

export function useUpdateReport(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (update: Update) => client.reports.update({ id, ...update }),
    onSuccess: (settings, { enabled }) => {
      queryClient.setQueryData(reportSettingsQuery(id).queryKey, settings);
      if (enabled !== undefined) void queryClient.invalidateQueries({ queryKey: api.reports.list.key() });
    },
    onError: (error) => toastError(error, 'Could not save the print settings'),
  });
}

export function useDownload(id: string) {
  return useMutation({
    mutationFn: (format: RenderFormat) => fetchReport(id, format),
    onSuccess: ({ content, name }) => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(content);
      link.download = name;
      link.click();
      URL.revokeObjectURL(link.href);
    },
    onError: (error) => toastError(error, 'Could not make the file'),
  });
}
