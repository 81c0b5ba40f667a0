import { nobody } from '../../platform/actor.ts';
import { endpoints } from '../../platform/http/implement.ts';
import { buyExtension, extensionOf } from './service/buy-extension.ts';
import { quotaOf } from './service/quota.ts';

const { quota } = endpoints;

export const quotaRoutes = {
  get: quota.get.handler(({ context }) => quotaOf(context, context.actor.userId ?? nobody)),
  extension: quota.extension.handler(({ context }) => extensionOf(context)),
  buyExtension: quota.buyExtension.handler(({ context, input }) => buyExtension(context, input)),
};
