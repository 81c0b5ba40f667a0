import { defineContract } from '../define-contract.ts';
import { personTopic } from './channel.ts';
import { notificationEndpoints } from './endpoints.ts';

export const notificationsContract = defineContract({
  endpoints: notificationEndpoints,
  topics: { person: personTopic },
});
