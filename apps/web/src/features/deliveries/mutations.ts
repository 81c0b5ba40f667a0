import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../platform/client.ts';
import { toast, toastError } from '../../ui/toast.ts';
import { deliverySettingsQuery, subscriptionQuery } from './queries.ts';

export type DeliveryChange = NonNullable<Parameters<typeof client.reports.update>[0]['delivery']>;

export function useChangeDelivery(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    // Whoever sets where it goes wants it to go there.
    mutationFn: (delivery: DeliveryChange) => client.reports.update({ id, enabled: true, delivery }),
    onSuccess: (settings) => queryClient.setQueryData(deliverySettingsQuery(id).queryKey, settings),
  });
}

export function useSendNow(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => client.deliveries.send({ id }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: api.deliveries.list.key() }),
    onError: (error) => toastError(error, 'Could not deliver the report'),
  });
}

export function useSubscribe(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (isWanted: boolean) =>
      isWanted ? client.deliveries.subscribe({ id }) : client.deliveries.unsubscribe({ id }),
    onSuccess: (subscription) => {
      queryClient.setQueryData(subscriptionQuery(id).queryKey, subscription);
      toast(
        subscription.is_subscribed
          ? `The report comes to ${subscription.address}.`
          : 'You no longer get this report by mail.',
      );
    },
    onError: (error) => toastError(error, 'Could not change your subscription'),
  });
}

export function useCreateCode() {
  return useMutation({
    mutationFn: () => client.telegram.createCode({}),
    onError: (error) => toastError(error, 'Could not make a code'),
  });
}

export function useUnlinkChat() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => client.telegram.unlink({ id }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: api.telegram.chats.key() }),
    onError: (error) => toastError(error, 'Could not unlink the chat'),
  });
}
