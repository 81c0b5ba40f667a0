import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Panel } from '../../../ui/page.tsx';
import { tipsQuery } from '../queries.ts';

/** Another one each day, and as many as one likes. */
export function TipPanel() {
  const { data } = useQuery(tipsQuery);
  const [turn, setTurn] = useState(() => Math.floor(Date.now() / 86_400_000));
  const tip = data?.entries[turn % data.entries.length];
  if (!tip) return null;
  return (
    <Panel title={tip.title}>
      <Text size="sm">{tip.text}</Text>
      <Group gap={8} mt="sm">
        {tip.path && (
          <Button component={Link} to={tip.path} size="xs" variant="default">
            Try it
          </Button>
        )}
        <Button size="xs" variant="subtle" color="gray" onClick={() => setTurn(turn + 1)}>
          Another tip
        </Button>
      </Group>
    </Panel>
  );
}
