import type { Transaction } from '../../platform/db/database.ts';
import type { EventHandlers } from '../../platform/events/relay.ts';
import type { Broadcasts } from '../../platform/feature.ts';
import { changeOfRights, inLists, projectChanged, rightsChanged } from './service/audience.ts';
import { voidOffersOf } from './service/offers.ts';
import { adoptProjects } from './service/write.ts';

export const projectEvents: EventHandlers = {
  'user.suspended': async (ctx, { user_id }, { createdAt }) => void (await voidOffersOf(ctx, user_id, createdAt)),
  'user.deleted': async (ctx, { user_id }, { createdAt }) => void (await voidOffersOf(ctx, user_id, createdAt)),
  'guest.merged': (ctx, { guest_user_id, user_id }) => adoptProjects(ctx, guest_user_id, user_id),
};

const offerChanged = (tx: Transaction, offer: { project_id: string; from_user_id: string; to_user_id: string }) =>
  changeOfRights(tx, offer.project_id, ['offer'], [offer.from_user_id, offer.to_user_id]);

export const projectBroadcasts: Broadcasts = {
  'project.created': (tx, { project_id }) => inLists(tx, project_id),
  'project.cloned': (tx, { clone_id }) => inLists(tx, clone_id),
  'project.updated': async (tx, { project_id, fields }) => [
    projectChanged(project_id, fields),
    ...(fields.includes('visibility') || fields.includes('hides_source') ? [rightsChanged(project_id)] : []),
    ...(await inLists(tx, project_id)),
  ],
  'project.deleted': (tx, { project_id }) => changeOfRights(tx, project_id, ['deleted_at']),
  'project.restored': async (tx, { project_id }) => [
    projectChanged(project_id, ['deleted_at']),
    ...(await inLists(tx, project_id)),
  ],
  'project.offered': offerChanged,
  'project.offer_ended': offerChanged,
  'project.transferred': (tx, { project_id, from_user_id }) =>
    changeOfRights(tx, project_id, ['owner', 'offer'], [from_user_id]),
};
