import { declareNotifications } from '../notifications/declare-notifications.ts';

const roleWords: Record<string, string> = {
  owner: 'the owner',
  admin: 'an administrator',
  member: 'a member',
  guest: 'a guest',
};

export const teamsNotifications = declareNotifications({
  groups: {
    teams: { label: 'Teams', text: 'Invitations, join requests and projects shared with your teams', choice: 'email' },
  },
  types: {
    team_invited: {
      group: 'teams',
      words: ({ who, does, team }) => `${who} ${does('invites', 'invite')} you to ${team}`,
    },
    team_join_requested: {
      group: 'teams',
      words: ({ who, does, team }) => `${who} ${does('requests', 'request')} to join ${team}`,
      path: ({ subject_team }) => (subject_team ? `/teams/${subject_team.id}/requests` : null),
    },
    team_join_approved: { group: 'teams', words: ({ who, team }) => `${who} approved your request to join ${team}` },
    team_join_rejected: { group: 'teams', words: ({ who, team }) => `${who} declined your request to join ${team}` },
    team_joined: { group: 'teams', words: ({ whom, team }) => `${whom} joined ${team}` },
    team_invite_accepted: { group: 'teams', words: ({ who, team }) => `${who} accepted your invitation to ${team}` },
    team_left: { group: 'teams', words: ({ whom, team }) => `${whom} left ${team}` },
    team_role_changed: {
      group: 'teams',
      words: ({ who, whom, team, news }) =>
        `${who} made ${news.subject_user ? whom : 'you'} ${roleWords[news.metadata.role ?? ''] ?? 'a member'} of ${team}`,
    },
    team_removed: {
      group: 'teams',
      words: ({ who, team, news }) =>
        news.metadata.reason === 'deleted' ? `${who} deleted ${team}` : `${who} removed you from ${team}`,
    },
    team_owner_changed: {
      group: 'teams',
      words: ({ who, whom, team, news }) => `${who} transferred ${team} to ${news.subject_user ? whom : 'you'}`,
    },
    team_project_shared: { group: 'teams', words: ({ who, project, team }) => `${who} shared ${project} with ${team}` },
    team_project_unshared: {
      group: 'teams',
      words: ({ who, does, project, team }) => `${who} no longer ${does('shares', 'share')} ${project} with ${team}`,
    },
    team_changed: { group: 'teams', words: ({ who, team }) => `${who} updated ${team}` },
  },
});
