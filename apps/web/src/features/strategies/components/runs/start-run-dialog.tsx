import type { ParameterValues, TestSettings } from '@atoll/contract/strategies/entity';
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../../platform/api-error.ts';
import { api, client } from '../../../../platform/client.ts';
import { toast } from '../../../../ui/toast.ts';
import { useSession } from '../../../session/queries.ts';
import { connectionsQuery } from '../../../trading/queries.ts';
import { LimitFields, type LimitInput, limitsOf, noLimits } from './limit-fields.tsx';
import { CapitalField, ConnectionField } from './money-fields.tsx';

interface StartRunDialogProps {
  strategyId: string;
  parameters: ParameterValues;
  settings: TestSettings;
  onStarted(): void;
  onClose(): void;
}

export function StartRunDialog({ strategyId, parameters, settings, onStarted, onClose }: StartRunDialogProps) {
  const { is_guest } = useSession();
  const { data } = useQuery({ ...connectionsQuery, enabled: !is_guest });
  const queryClient = useQueryClient();
  const connections = data?.entries ?? [];
  const [connectionId, setConnectionId] = useState<string | null>(null);
  const [capital, setCapital] = useState<number>(1_000);
  const [limits, setLimits] = useState<LimitInput>(noLimits);
  const [requestId] = useState(() => crypto.randomUUID());
  const chosen = connections.find(({ id }) => id === (connectionId ?? connections[0]?.id));
  const start = useMutation({
    mutationFn: () =>
      client.strategies.startRun({
        id: strategyId,
        connection_id: chosen?.id ?? '',
        parameters,
        settings: { symbols: settings.symbols, timeframe: settings.timeframe },
        capital,
        limits: limitsOf(limits),
        request_id: requestId,
      }),
    onSuccess: () => {
      toast('Strategy started. It decides at the end of each bar.');
      void queryClient.invalidateQueries({ queryKey: api.strategies.runs.key() });
      onStarted();
    },
  });
  if (is_guest)
    return (
      <Modal opened onClose={onClose} title="Run the strategy">
        <Text>Create an account to run strategies.</Text>
      </Modal>
    );
  return (
    <Modal opened onClose={onClose} title="Run the strategy">
      <Stack>
        <ConnectionField connections={connections} chosen={chosen} onChange={setConnectionId} />
        <CapitalField value={capital} onChange={setCapital} />
        <LimitFields value={limits} onChange={setLimits} />
        <Text size="sm" c="dimmed">
          On {settings.symbols.join(', ')} with bars of {settings.timeframe}, with the parameters beside the code. Every
          order keeps to the limits of the connection; Halt trading pauses the run.
        </Text>
        {start.error && (
          <Text size="sm" c="var(--danger-ink)" role="alert">
            {messageOf(start.error)}
          </Text>
        )}
        <Button loading={start.isPending} disabled={!chosen} onClick={() => start.mutate()}>
          Run the strategy
        </Button>
      </Stack>
    </Modal>
  );
}
