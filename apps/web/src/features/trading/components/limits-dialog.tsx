import type { ExchangeConnection } from '@atoll/contract/trading/entity';
import { Modal, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../../platform/client.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';
import { toast } from '../../../ui/toast.ts';
import { EnvironmentBadge } from '../environment-badge.tsx';
import classes from './trading.module.css';

const orNull = (value: string): string | null => value.trim() || null;
const amountCheck = (value: string) =>
  value.trim() === '' || /^\d+(\.\d+)?$/.test(value.trim()) ? null : 'Enter a number, or leave it empty';

/** What no order may go beyond, whoever sends it. */
export function LimitsDialog({ connection, onClose }: { connection: ExchangeConnection; onClose(): void }) {
  const queryClient = useQueryClient();
  const { limits, environment } = connection;
  const form = useForm({
    initial: {
      max_order: limits.max_order ?? '',
      max_day: limits.max_day ?? '',
      max_daily_loss: limits.max_daily_loss ?? '',
      orders_per_minute: String(limits.orders_per_minute),
      price_distance: String(limits.price_distance),
      symbols: limits.symbols?.join(', ') ?? '',
    },
    checks: { max_order: amountCheck, max_day: amountCheck, max_daily_loss: amountCheck },
    submit: async (values) => {
      const symbols = values.symbols
        .split(',')
        .map((each) => each.trim().toUpperCase())
        .filter(Boolean);
      await client.trading.changeConnection({
        id: connection.id,
        limits: {
          max_order: orNull(values.max_order),
          max_day: orNull(values.max_day),
          max_daily_loss: orNull(values.max_daily_loss),
          orders_per_minute: Number(values.orders_per_minute),
          price_distance: Number(values.price_distance),
          symbols: symbols.length > 0 ? symbols : null,
        },
      });
      toast('Limits saved.');
      await queryClient.invalidateQueries({ queryKey: api.trading.connections.key() });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Limits">
      <Form form={form}>
        <Text size="sm" c="dimmed">
          <EnvironmentBadge environment={environment} /> They hold for every order: yours, portfolios’ and strategies’.
        </Text>
        <div className={classes.pair}>
          <TextInput
            label="Most for one order, USDT"
            placeholder="No limit"
            inputMode="decimal"
            {...form.text('max_order')}
          />
          <TextInput label="Most in a day, USDT" placeholder="No limit" inputMode="decimal" {...form.text('max_day')} />
        </div>
        <div className={classes.pair}>
          <TextInput
            label="Most to lose in a day, USDT"
            placeholder="No limit"
            inputMode="decimal"
            {...form.text('max_daily_loss')}
          />
          <TextInput label="Orders a minute" inputMode="numeric" {...form.text('orders_per_minute')} />
        </div>
        <TextInput label="Farthest from the last price, %" inputMode="decimal" {...form.text('price_distance')} />
        <TextInput
          label="Markets"
          description="Separated by commas, such as BTC/USDT. All of them if empty."
          {...form.text('symbols')}
        />
        <FormActions form={form}>Save limits</FormActions>
      </Form>
    </Modal>
  );
}
