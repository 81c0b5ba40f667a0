import { defineContract } from '../define-contract.ts';
import { notificationsTopic } from './channel.ts';
import { notificationEndpoints } from './endpoints.ts';

export const notificationsContract = defineContract({
  endpoints: notificationEndpoints,
  topics: { notifications: notificationsTopic },
});
