import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../platform/client.ts';

export const deliveriesOnPage = 10;

export const deliveriesQuery = (id: string, page: number) =>
  api.deliveries.list.queryOptions({
    input: { id, page, page_size: deliveriesOnPage },
    placeholderData: keepPreviousData,
  });

export const deliverySettingsQuery = (id: string) => api.reports.get.queryOptions({ input: { id } });

export const subscriptionQuery = (id: string) => api.deliveries.subscription.queryOptions({ input: { id } });

export const chatsQuery = () => api.telegram.chats.queryOptions({ input: {} });
