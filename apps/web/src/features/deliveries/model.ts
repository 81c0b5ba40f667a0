import type { Delivery, DeliveryTarget, Recipient } from '@atoll/contract/deliveries/entity';

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
  unconfirmed: 'perhaps sent',
  asked: 'waiting for confirmation',
  refused: 'refused',
};

/** Behind an address among the targets. */
export const recipientWords: Record<Recipient['state'], string> = {
  known: '',
  waiting: ' ·\u00a0waiting for confirmation',
  confirmed: ' ·\u00a0confirmed',
  refused: ' ·\u00a0refused',
};

export const kindWords: Record<DeliveryTarget['kind'], string> = {
  email: 'Mail',
  slack: 'Slack',
  telegram: 'Telegram',
  webhook: 'Webhook',
};

/** As people type or paste them. */
export const addressesIn = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
