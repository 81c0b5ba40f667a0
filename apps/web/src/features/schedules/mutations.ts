import type { Schedule } from '@atoll/contract/schedules/entity';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../platform/client.ts';
import { toast, toastError } from '../../ui/toast.ts';
import type { ScheduleSubject } from './queries.ts';

type Change = Parameters<typeof client.schedules.changeOfFile>[0]['schedule'];

function useRefresh() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: api.schedules.key() });
}

export function useChangeSchedule(subject: ScheduleSubject) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (schedule: Change) =>
      subject.publicationId === undefined
        ? client.schedules.changeOfFile({ id: subject.projectId, fileId: subject.fileId, schedule })
        : client.schedules.changeOfPublication({ id: subject.publicationId, schedule }),
    onSuccess: refresh,
  });
}

export const subjectOf = ({ project, file, publication }: Schedule): ScheduleSubject =>
  publication ? { projectId: project.id, publicationId: publication.id } : { projectId: project.id, fileId: file.id };

export function usePause(schedule: Schedule) {
  const change = useChangeSchedule(subjectOf(schedule));
  return {
    isPending: change.isPending,
    toggle: () =>
      change.mutate(
        { enabled: !schedule.enabled },
        {
          onSuccess: () => toast(schedule.enabled ? 'Schedule paused.' : 'Schedule resumed.'),
          onError: (error) =>
            toastError(error, schedule.enabled ? 'Could not pause the schedule' : 'Could not resume the schedule'),
        },
      ),
  };
}

export function useRunNow({ id }: Schedule) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => client.schedules.run({ id }),
    onSuccess: async () => {
      await refresh();
      toast('Started.');
    },
    onError: (error) => toastError(error, 'Could not start it'),
  });
}

export function useAcceptReview({ id, review }: Schedule) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => client.schedules.review({ id, until: review?.until ?? 0 }),
    onSuccess: async ({ schedule }) => {
      await refresh();
      toast(schedule?.review ? 'Accepted. There are newer changes.' : 'Changes accepted.');
    },
    onError: (error) => toastError(error, 'Could not accept the changes'),
  });
}

export function useDeleteSchedule(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => client.schedules.delete({ id }),
    onSuccess: async () => {
      await refresh();
      toast('Schedule deleted.');
    },
    onError: (error) => toastError(error, 'Could not delete the schedule'),
  });
}
