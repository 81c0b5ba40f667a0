import { nobody } from '../../platform/actor.ts';
import { endpoints } from '../../platform/http/implement.ts';
import { changePlan, previewChange } from './service/change.ts';
import { listChanges, subscriptionStats } from './service/history.ts';
import { subscriptionOf } from './service/standing.ts';

const { subscriptions } = endpoints;

export const subscriptionRoutes = {
  get: subscriptions.get.handler(({ context }) => subscriptionOf(context.db, context.actor.userId ?? nobody)),
  preview: subscriptions.preview.handler(({ context, input }) => previewChange(context, input)),
  subscribe: subscriptions.subscribe.handler(({ context, input }) => changePlan(context, input)),
  history: subscriptions.history.handler(({ context, input }) => listChanges(context, input)),
  stats: subscriptions.stats.handler(({ context }) => subscriptionStats(context)),
};
