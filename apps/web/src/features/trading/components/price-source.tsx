import { Text } from '@mantine/core';

/** Says so where prices do not come as they change. */
export function PriceSource({ isLive }: { isLive: boolean | null }) {
  return (
    <Text size="xs" c="dimmed" component="span" role="status">
      {isLive === false && 'Live prices are interrupted. They are updated once a minute.'}
    </Text>
  );
}
