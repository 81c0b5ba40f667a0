import type { PublishedStrategyDetail } from '@atoll/contract/strategies/runs';
import { Button, Modal, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../../../../platform/api-error.ts';
import { api, client } from '../../../../platform/client.ts';
import { toast } from '../../../../ui/toast.ts';
import { portfoliosQuery } from '../../../portfolios/queries.ts';
import { connectionsQuery } from '../../../trading/queries.ts';
import { LimitFields, type LimitInput, limitsOf, noLimits } from './limit-fields.tsx';
import { CapitalField, ConnectionField } from './money-fields.tsx';

const newPortfolio = 'new';

/** Where it runs, with how much, and what one does not want to lose. */
export function CopyDialog({ strategy, onClose }: { strategy: PublishedStrategyDetail; onClose(): void }) {
  const { publication, symbols, timeframe } = strategy;
  const portfolios = useQuery(portfoliosQuery).data?.entries.filter(({ is_yours }) => is_yours) ?? [];
  const connections = useQuery(connectionsQuery).data?.entries ?? [];
  const [portfolioId, setPortfolioId] = useState(newPortfolio);
  const [connectionId, setConnectionId] = useState<string | null>(null);
  const [capital, setCapital] = useState(1_000);
  const [limits, setLimits] = useState<LimitInput>(noLimits);
  const [requestId] = useState(() => crypto.randomUUID());
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const connection = connections.find(({ id }) => id === (connectionId ?? connections[0]?.id));
  const copy = useMutation({
    mutationFn: async () => {
      const connection_id = connection?.id ?? '';
      const portfolio =
        portfolioId === newPortfolio
          ? await client.portfolios.create({
              name: publication.title,
              exchange: connection?.type ?? 'demo',
              connection_ids: [connection_id],
            })
          : { id: portfolioId };
      // Kept when what follows is refused, so that trying again does not create another.
      setPortfolioId(portfolio.id);
      await client.strategies.copy({
        id: publication.id,
        portfolio_id: portfolio.id,
        connection_id,
        capital,
        limits: limitsOf(limits),
        request_id: requestId,
      });
      return portfolio.id;
    },
    onSuccess: (id) => {
      toast('It runs in your portfolio. It decides at the end of each bar.');
      void queryClient.invalidateQueries({ queryKey: api.portfolios.key() });
      void navigate({ to: '/portfolios/$id', params: { id } });
    },
    onError: () => void queryClient.invalidateQueries({ queryKey: api.portfolios.key() }),
  });
  return (
    <Modal opened onClose={onClose} title="Copy to a portfolio">
      <Stack>
        <Text size="sm" c="dimmed">
          The published version runs on {symbols.join(', ')} with bars of {timeframe}, with your money. You see what it
          decides and why, not its code. Later versions are not taken over by themselves.
        </Text>
        <ConnectionField connections={connections} chosen={connection} onChange={setConnectionId} />
        <Select
          label="Portfolio"
          data={[
            { value: newPortfolio, label: 'A new portfolio' },
            ...portfolios.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={portfolioId}
          onChange={(value) => value && setPortfolioId(value)}
        />
        <CapitalField value={capital} onChange={setCapital} />
        <LimitFields value={limits} onChange={setLimits} />
        {copy.error && (
          <Text size="sm" c="var(--danger-ink)" role="alert">
            {messageOf(copy.error)}
          </Text>
        )}
        <Button loading={copy.isPending} disabled={!connection} onClick={() => copy.mutate()}>
          Copy to the portfolio
        </Button>
      </Stack>
    </Modal>
  );
}
