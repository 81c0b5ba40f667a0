import { appState } from '../../../platform/app-state.ts';
import { manualPayments } from './manual.ts';
import type { PaymentPort } from './port.ts';
import { stripePayments } from './stripe.ts';

export const paymentsOf = appState(
  ({ config }): PaymentPort => (config.stripe ? stripePayments(config.stripe) : manualPayments),
);
