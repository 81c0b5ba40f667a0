import { Button } from '@mantine/core';
import { IconMail, IconMailOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../session/queries.ts';
import { useSubscribe } from '../mutations.ts';
import { subscriptionQuery } from '../queries.ts';

/** For readers with an account: the report by mail, as often as it is delivered. */
export function SubscribeButton({ id }: { id: string }) {
  const { is_guest } = useSession();
  const { data } = useQuery({ ...subscriptionQuery(id), enabled: !is_guest });
  const change = useSubscribe(id);
  if (!data) return null;
  const Icon = data.is_subscribed ? IconMailOff : IconMail;
  return (
    <Button
      variant="default"
      leftSection={<Icon size={16} stroke={1.6} aria-hidden />}
      loading={change.isPending}
      onClick={() => change.mutate(!data.is_subscribed)}
    >
      {data.is_subscribed ? 'Unsubscribe' : 'Subscribe'}
    </Button>
  );
}
