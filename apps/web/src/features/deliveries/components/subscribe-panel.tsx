import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Panel } from '../../../ui/page.tsx';
import { useSubscribe } from '../mutations.ts';
import { subscriptionQuery } from '../queries.ts';

/** The report by mail, as often as it is delivered. */
export function SubscribePanel({ id }: { id: string }) {
  const { data } = useQuery(subscriptionQuery(id));
  const change = useSubscribe(id);
  if (!data) return null;
  return (
    <Panel title="Subscription">
      <Text size="sm" c="dimmed" mb="sm">
        {data.is_subscribed
          ? `You get this report by mail${data.address ? `, at ${data.address}` : ''}.`
          : data.address
            ? 'Get this report by mail each time it is delivered.'
            : 'Confirm your e-mail address to get this report by mail.'}
      </Text>
      <Button
        size="xs"
        variant="default"
        disabled={!data.address && !data.is_subscribed}
        loading={change.isPending}
        onClick={() => change.mutate(!data.is_subscribed)}
      >
        {data.is_subscribed ? 'Unsubscribe' : 'Subscribe'}
      </Button>
    </Panel>
  );
}
