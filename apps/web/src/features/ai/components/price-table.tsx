import '@mantine/core/styles/NumberInput.layer.css';
import type { AiPrice } from '@atoll/contract';
import { Button, Group, NumberInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { api, client } from '../../../platform/client.ts';
import { Panel } from '../../../ui/page.tsx';
import { NothingHere, Row, Rows } from '../../../ui/rows.tsx';
import { toast, toastError } from '../../../ui/toast.ts';
import { pricesQuery } from '../queries.ts';

const setUpBy: Partial<Record<AiPrice['source'], string>> = {
  operator: 'Set up by the operator',
  local: "Found on the server's machine",
};

/** What every model for everyone costs, wherever it was set up. */
export function PriceTable() {
  const { data, error } = useQuery(pricesQuery());
  return (
    <Panel
      title="Prices"
      description="Units for a million tokens, taken from the wallet of the person who uses the model. At 0 it is free."
    >
      {error ? (
        <NothingHere>{messageOf(error)}</NothingHere>
      ) : data?.entries.length === 0 ? (
        <NothingHere>No models yet.</NothingHere>
      ) : (
        <Rows label="Prices">
          {data?.entries.map((price) => (
            <PriceRow key={price.model} price={price} />
          ))}
        </Rows>
      )}
    </Panel>
  );
}

function PriceRow({ price }: { price: AiPrice }) {
  const queryClient = useQueryClient();
  const { model, name, provider, source, context_tokens } = price;
  const [read, setRead] = useState<number | string>(price.units_per_million_input);
  const [written, setWritten] = useState<number | string>(price.units_per_million_output);
  const isChanged =
    Number(read) !== price.units_per_million_input || Number(written) !== price.units_per_million_output;
  const save = useMutation({
    mutationFn: () =>
      client.ai.setPrice({
        ...{ model, context_tokens },
        units_per_million_input: Number(read),
        units_per_million_output: Number(written),
      }),
    onSuccess: () => toast(`Price of ${name} saved.`),
    onError: (failure) => toastError(failure),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.ai.key() }),
  });
  const field = { size: 'xs', w: 88, min: 0, max: 1_000_000, hideControls: true } as const;
  return (
    <Row
      title={name}
      detail={[provider, setUpBy[source]].filter(Boolean).join(' · ')}
      action={
        <Group gap={8} align="flex-end" justify="flex-end" maw="62%">
          <NumberInput
            {...field}
            label="Reads"
            aria-label={`Units for tokens that ${name} reads`}
            value={read}
            onChange={setRead}
          />
          <NumberInput
            {...field}
            label="Writes"
            aria-label={`Units for tokens that ${name} writes`}
            value={written}
            onChange={setWritten}
          />
          <Button
            size="compact-sm"
            variant="default"
            disabled={!isChanged}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            Save
          </Button>
        </Group>
      }
    />
  );
}
