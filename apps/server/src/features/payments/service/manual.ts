import { denied, notFound } from '../../../platform/errors.ts';
import type { PaymentPort } from './port.ts';

const message = 'Units are not sold here. Redeem a voucher, or ask an admin to add units to your wallet.';

/** Without a provider: admins credit what was paid elsewhere, or hand out vouchers. */
export const manualPayments: PaymentPort = {
  provider: 'manual',
  isAvailable: false,
  message,
  async openCheckout() {
    throw denied('disabled_in_configuration', message);
  },
  async readNews() {
    throw notFound();
  },
  purchaseOf: async () => null,
};
