import { nobody } from '../../platform/actor.ts';
import { endpoints } from '../../platform/http/implement.ts';
import { quotaOf } from './service/quota.ts';

export const quotaRoutes = {
  get: endpoints.quota.get.handler(({ context }) => quotaOf(context, context.actor.userId ?? nobody)),
};
