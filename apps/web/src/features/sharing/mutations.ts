import type { ProjectPermission } from '@atoll/contract/projects/access';
import type { PersonSummary, Project } from '@atoll/contract/projects/entity';
import type { TeamPermission, UserPermission } from '@atoll/contract/sharing/endpoints';
import type { TeamSummary } from '@atoll/contract/teams/entity';
import { personName } from '@atoll/contract/users/names';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api, client } from '../../platform/client.ts';
import { toast, toastError, toastWithUndo } from '../../ui/toast.ts';
import { projectQuery } from '../projects/queries.ts';
import type { Granted } from './model.ts';

function useRefresh(projectId: string) {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: api.sharing.key() }),
      queryClient.invalidateQueries({ queryKey: projectQuery(projectId).queryKey }),
    ]);
}

export function useShare(projectId: string) {
  const refresh = useRefresh(projectId);
  return useMutation({
    mutationFn: ({ person, permissions }: { person: PersonSummary; permissions: ProjectPermission[] }) =>
      client.sharing.addUser({ id: projectId, user_id: person.id, permissions }),
    onSuccess: refresh,
    onError: (error, { person }) => toastError(error, `Could not share with ${personName(person)}`),
  });
}

export function useChangeGrant(projectId: string, grant: UserPermission) {
  const refresh = useRefresh(projectId);
  return useMutation({
    mutationFn: async ({ permissions, isAuthor }: Granted) => {
      const named = { id: projectId, permissionId: grant.id };
      await client.sharing.changeUser({ ...named, permissions });
      if (isAuthor !== grant.is_author)
        await (isAuthor ? client.sharing.addAuthor(named) : client.sharing.removeAuthor(named));
    },
    onSettled: refresh,
    onError: (error) => toastError(error, `Could not change the role of ${personName(grant.user)}`),
  });
}

export function useUnshare(projectId: string) {
  const refresh = useRefresh(projectId);
  const share = useShare(projectId);
  return useMutation({
    mutationFn: ({ id }: UserPermission) => client.sharing.removeUser({ id: projectId, permissionId: id }),
    onSuccess: (_, { user, permissions }) =>
      toastWithUndo(`No longer shared with ${personName(user)}.`, () => share.mutate({ person: user, permissions })),
    onSettled: refresh,
    onError: (error) => toastError(error, 'Could not remove access'),
  });
}

/** Only the owner can bring somebody back who left, so the page says what is gone. */
export function useLeaveProject() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: ({ id, permissionId }: { id: string; permissionId: string; project: Project }) =>
      client.sharing.removeUser({ id, permissionId }),
    onSuccess: async (_, { id, project }) => {
      await router.navigate({ to: '/projects' });
      queryClient.removeQueries({ queryKey: projectQuery(id).queryKey });
      void queryClient.invalidateQueries({ queryKey: api.projects.list.key() });
      toast(`“${project.name}” is no longer shared with you.`);
    },
    onError: (error) => toastError(error, 'Could not leave the project'),
  });
}

/** That the link was copied is only counted; nobody has to hear of a failure. */
export const countCopiedLink = (id: string): void => void client.sharing.copyLink({ id }).catch(() => {});

export function useShareWithTeam(projectId: string) {
  const refresh = useRefresh(projectId);
  return useMutation({
    mutationFn: ({ team, permissions }: { team: TeamSummary; permissions: ProjectPermission[] }) =>
      client.sharing.addTeam({ id: projectId, team_id: team.id, permissions }),
    onSuccess: refresh,
    onError: (error, { team }) => toastError(error, `Could not share with ${team.name}`),
  });
}

export function useChangeTeamGrant(projectId: string, grant: TeamPermission) {
  const refresh = useRefresh(projectId);
  return useMutation({
    mutationFn: ({ permissions }: Granted) =>
      client.sharing.changeTeam({ id: projectId, permissionId: grant.id, permissions }),
    onSettled: refresh,
    onError: (error) => toastError(error, `Could not change the role of ${grant.team.name}`),
  });
}

export function useUnshareWithTeam(projectId: string) {
  const refresh = useRefresh(projectId);
  const share = useShareWithTeam(projectId);
  return useMutation({
    mutationFn: ({ id }: TeamPermission) => client.sharing.removeTeam({ id: projectId, permissionId: id }),
    onSuccess: (_, { team, permissions }) =>
      toastWithUndo(`No longer shared with ${team.name}.`, () => share.mutate({ team, permissions })),
    onSettled: refresh,
    onError: (error) => toastError(error, 'Could not remove access'),
  });
}

export function useInvite(projectId: string) {
  const refresh = useRefresh(projectId);
  return useMutation({
    mutationFn: (input: { email: string; permissions: ProjectPermission[]; message: string }) =>
      client.sharing.invite({ id: projectId, ...input }),
    onSuccess: async ({ email, status }) => {
      toast(status === 'accepted' ? `Shared with ${email}.` : `Invitation sent to ${email}.`);
      await refresh();
    },
    onError: (error, { email }) => toastError(error, `Could not invite ${email}`),
  });
}

export function useCreateLink(projectId: string) {
  const refresh = useRefresh(projectId);
  return useMutation({
    mutationFn: () => client.sharing.createLink({ id: projectId }),
    onSuccess: refresh,
    onError: (error) => toastError(error, 'The link was not created'),
  });
}

export function useEndLink(projectId: string) {
  const refresh = useRefresh(projectId);
  return useMutation({
    mutationFn: () => client.sharing.endLink({ id: projectId }),
    onSuccess: async () => {
      toast('The link no longer opens the project.');
      await refresh();
    },
    onError: (error) => toastError(error, 'The link still works'),
  });
}

export function useRemoveInvite(projectId: string) {
  const refresh = useRefresh(projectId);
  return useMutation({
    mutationFn: (inviteId: string) => client.sharing.removeInvite({ id: projectId, inviteId }),
    onSettled: refresh,
    onError: (error) => toastError(error, 'Could not cancel the invitation'),
  });
}

export function useAnswerAccess(projectId: string) {
  const refresh = useRefresh(projectId);
  return useMutation({
    mutationFn: (input: { requestId: string; isApproved: boolean; permissions: ProjectPermission[] }) => {
      const { requestId, permissions } = input;
      const named = { id: projectId, requestId };
      return input.isApproved
        ? client.sharing.approveAccessRequest({ ...named, permissions })
        : client.sharing.rejectAccessRequest(named);
    },
    // Somebody else may have been quicker.
    onSettled: refresh,
    onError: (error) => toastError(error),
  });
}
