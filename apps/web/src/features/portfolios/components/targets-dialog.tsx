import '@mantine/core/styles/NumberInput.layer.css';
import type { PortfolioDetail } from '@atoll/contract/portfolios/entity';
import { ActionIcon, Button, Group, Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { api, client } from '../../../platform/client.ts';
import { toast } from '../../../ui/toast.ts';
import classes from './portfolios.module.css';

/** Which share of the whole each asset should have; the rest stays in the trade asset. */
export function TargetsDialog({ portfolio, onClose }: { portfolio: PortfolioDetail; onClose(): void }) {
  const queryClient = useQueryClient();
  const { trade_asset } = portfolio;
  const [rows, setRows] = useState(() => {
    const kept = Object.entries(portfolio.targets);
    const owned = portfolio.holdings
      .filter(({ asset }) => asset !== trade_asset)
      .map(({ asset, share }) => [asset, share ?? 0] as const);
    return (kept.length > 0 ? kept : owned).map(([asset, share]) => ({
      asset,
      percent: Math.round(share * 1000) / 10,
    }));
  });
  const total = rows.reduce((sum, { percent }) => sum + percent, 0);
  const save = useMutation({
    mutationFn: () =>
      client.portfolios.change({
        id: portfolio.id,
        targets: Object.fromEntries(
          rows
            .filter(({ asset }) => asset.trim())
            .map(({ asset, percent }) => [asset.trim().toUpperCase(), percent / 100]),
        ),
      }),
    onSuccess: async () => {
      toast('Targets saved.');
      await queryClient.invalidateQueries({ queryKey: api.portfolios.key() });
      onClose();
    },
  });
  const set = (at: number, change: Partial<(typeof rows)[number]>) =>
    setRows(rows.map((row, index) => (index === at ? { ...row, ...change } : row)));
  return (
    <Modal opened onClose={onClose} title="Targets">
      <Stack>
        {rows.map(({ asset, percent }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name while they are typed.
          <div key={index} className={classes.target}>
            <TextInput
              aria-label="Asset"
              placeholder="BTC"
              value={asset}
              onChange={(event) => set(index, { asset: event.currentTarget.value })}
            />
            <NumberInput
              aria-label={`Share of ${asset || 'the asset'}`}
              suffix=" %"
              min={0}
              max={100}
              value={percent}
              onChange={(value) => set(index, { percent: Number(value) || 0 })}
            />
            <ActionIcon
              aria-label={`Remove ${asset || 'row'}`}
              onClick={() => setRows(rows.filter((_, at) => at !== index))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </div>
        ))}
        <Button variant="default" size="xs" onClick={() => setRows([...rows, { asset: '', percent: 0 }])}>
          Add asset
        </Button>
        <Text size="sm" c={total > 100 ? 'danger' : 'dimmed'} role={total > 100 ? 'alert' : undefined}>
          {total > 100
            ? `Targets add up to ${total.toFixed(1)} %`
            : `${(100 - total).toFixed(1)} % stays in ${trade_asset}`}
        </Text>
        {save.error && (
          <Text c="danger" role="alert">
            {messageOf(save.error)}
          </Text>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={total > 100} loading={save.isPending} onClick={() => save.mutate()}>
            Save targets
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
