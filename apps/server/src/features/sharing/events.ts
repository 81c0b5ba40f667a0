import type { Broadcasts } from '../../platform/feature.ts';
import { inLists, rightsChanged, told } from '../projects/service/audience.ts';

export const sharingBroadcasts: Broadcasts = {
  'project.shared': async (tx, { project_id }) => [
    told(project_id, ['collaborators']),
    ...(await inLists(tx, project_id)),
  ],
  'project.grant_changed': async (tx, { project_id }) => [
    told(project_id, ['collaborators']),
    rightsChanged(project_id),
    ...(await inLists(tx, project_id)),
  ],
  'project.unshared': async (tx, { project_id, user_id }) => [
    told(project_id, ['collaborators']),
    rightsChanged(project_id),
    ...(await inLists(tx, project_id, [user_id])),
  ],
};
