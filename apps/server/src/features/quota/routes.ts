import { endpoints } from '../../platform/http/implement.ts';
import { requireSelf } from '../users/service.ts';
import { quotaOf } from './service/quota.ts';

export const quotaRoutes = {
  get: endpoints.quota.get.handler(async ({ context }) => quotaOf(context, (await requireSelf(context)).id)),
};
