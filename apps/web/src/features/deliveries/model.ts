import type { Delivery, DeliveryTarget } from '@atoll/contract/deliveries/entity';

export const stateWords: Record<Delivery['state'], string> = {
  rendering: 'Drawing the report',
  sending: 'Sending',
  delivered: 'Delivered',
  partly_delivered: 'Partly delivered',
  failed: 'Not delivered',
};

export const targetWords: Record<DeliveryTarget['state'], string> = {
  waiting: 'waiting',
  sending: 'sending',
  sent: 'sent',
  failed: 'failed',
  unconfirmed: 'not confirmed',
};

export const kindWords: Record<DeliveryTarget['kind'], string> = {
  email: 'Mail',
  slack: 'Slack',
  telegram: 'Telegram',
  webhook: 'Webhook',
};

/** As people type or paste them. */
export const addressesIn = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
