import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../platform/client.ts';
import { toastError } from '../../ui/toast.ts';

/** Everything known about teams is asked anew: who is in one decides what is seen of it. */
export function useTeamsRefresh() {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: api.teams.key() }),
      queryClient.invalidateQueries({ queryKey: api.projects.list.key() }),
    ]);
}

/** One act on a team: done, then everything follows; a failure says what stayed as it was. */
export function useTeamAct<Input>(act: (input: Input) => Promise<unknown>, failure: string) {
  const refresh = useTeamsRefresh();
  return useMutation({
    mutationFn: act,
    onSuccess: refresh,
    onError: async (error) => {
      toastError(error, failure);
      // Somebody else may have been quicker.
      await refresh();
    },
  });
}

type Of<Name extends keyof typeof client.teams> = Parameters<(typeof client.teams)[Name]>[0];

export const useChangeMember = () =>
  useTeamAct((input: Of<'changeMember'>) => client.teams.changeMember(input), 'Could not save the team');
export const useRemoveMember = () =>
  useTeamAct((input: Of<'removeMember'>) => client.teams.removeMember(input), 'Could not remove the member');
export const useAnswerRequest = () =>
  useTeamAct(
    ({ isApproved, ...input }: Of<'rejectJoinRequest'> & { isApproved: boolean }) =>
      isApproved ? client.teams.approveJoinRequest(input) : client.teams.rejectJoinRequest(input),
    'Could not answer the join request',
  );
export const useRequestToJoin = () =>
  useTeamAct((input: Of<'requestToJoin'>) => client.teams.requestToJoin(input), 'Could not send the join request');
export const useCancelRequest = () =>
  useTeamAct((input: Of<'cancelJoinRequest'>) => client.teams.cancelJoinRequest(input), 'Could not cancel the request');
export const useJoinTeam = () => useTeamAct((input: Of<'join'>) => client.teams.join(input), 'Could not join the team');
export const useLeaveTeam = () =>
  useTeamAct((input: Of<'leave'>) => client.teams.leave(input), 'Could not leave the team');
export const useTransferTeam = () =>
  useTeamAct((input: Of<'transfer'>) => client.teams.transfer(input), 'Could not transfer ownership');
export const useRemoveInvite = () =>
  useTeamAct((input: Of<'removeInvite'>) => client.teams.removeInvite(input), 'Could not revoke the invitation');
