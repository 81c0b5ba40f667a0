import { declareNotifications } from '../notifications/declare-notifications.ts';

export const sharingNotifications = declareNotifications({
  groups: {
    sharing: { label: 'Sharing', text: 'Projects shared with you and access requests', choice: 'email' },
  },
  types: {
    project_shared: { group: 'sharing', words: ({ who, project }) => `${who} shared ${project} with you` },
    project_unshared: {
      group: 'sharing',
      words: ({ who, does, project }) => `${who} no longer ${does('shares', 'share')} ${project} with you`,
    },
    project_transferred: { group: 'sharing', words: ({ who, project }) => `${who} transferred ${project} to you` },
    project_offered: {
      group: 'sharing',
      words: ({ who, does, project }) => `${who} ${does('offers', 'offer')} you ${project}`,
    },
    project_offer_accepted: {
      group: 'sharing',
      words: ({ who, project }) => `${who} accepted ${project} and owns it now`,
    },
    project_offer_declined: { group: 'sharing', words: ({ who, project }) => `${who} declined ${project}` },
    project_offer_ended: { group: 'sharing', words: ({ project }) => `The offer of ${project} has ended` },
    project_invite_accepted: {
      group: 'sharing',
      words: ({ who, project }) => `${who} accepted your invitation to ${project}`,
    },
    access_requested: {
      group: 'sharing',
      words: ({ who, does, project }) => `${who} ${does('requests', 'request')} access to ${project}`,
      path: ({ project }) => (project ? `/projects/${project.id}?panel=share` : null),
    },
    access_approved: { group: 'sharing', words: ({ who, project }) => `${who} gave you access to ${project}` },
    access_rejected: {
      group: 'sharing',
      words: ({ who, project }) => `${who} declined your access request for ${project}`,
    },
  },
});
