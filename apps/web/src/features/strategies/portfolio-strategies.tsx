import { Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../platform/client.ts';
import { TextLink } from '../../ui/links.tsx';
import { RunCard } from './components/runs/run-card.tsx';
import { copiesQuery } from './queries.ts';

/** Published strategies that run in a portfolio. */
export function PortfolioStrategies({ portfolioId: id }: { portfolioId: string }) {
  const queryClient = useQueryClient();
  const { data } = useQuery(copiesQuery(id));
  if (!data) return null;
  return (
    <section aria-label="Strategies">
      <Title order={2} size="h4" mb="sm">
        Strategies
      </Title>
      {data.entries.length === 0 && (
        <Text size="sm" c="dimmed" mb="lg">
          None runs here. <TextLink to="/strategies">Find one to copy.</TextLink>
        </Text>
      )}
      {data.entries.map((run) => (
        <RunCard
          key={run.id}
          run={run}
          onChange={async (change) => {
            await client.strategies.changeCopy({ id, runId: run.id, ...change });
            await queryClient.invalidateQueries({ queryKey: api.strategies.copies.key() });
          }}
          decisions={(page) => client.strategies.copyDecisions({ id, runId: run.id, page })}
        />
      ))}
    </section>
  );
}
