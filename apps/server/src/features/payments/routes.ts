import { endpoints } from '../../platform/http/implement.ts';
import { openPurchase, purchaseById, purchaseInfo } from './service/purchases.ts';

const { payments } = endpoints;

export const paymentRoutes = {
  info: payments.info.handler(({ context }) => purchaseInfo(context)),
  get: payments.get.handler(({ context, input }) => purchaseById(context, input.id)),
  open: payments.open.handler(({ context, input }) => openPurchase(context, input)),
};
