import '@mantine/core/styles/NumberInput.layer.css';
import { mostExtensionHours } from '@atoll/contract/quota/values';
import { timeInWords } from '@atoll/contract/quota/words';
import { Button, Group, NumberInput, Skeleton, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { api, client } from '../../../platform/client.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { Figure } from '../../../ui/lists/figure.tsx';
import figures from '../../../ui/styles/figures.module.css';
import { toast, toastError } from '../../../ui/toast.ts';
import { extensionQuery, quotaQuery } from '../../quota/queries.ts';
import { sessionQuery } from '../../session/queries.ts';
import { unitWords } from '../../wallet/model.ts';
import classes from './usage.module.css';

const hourWords = (hours: number) => `${hours.toLocaleString('en')} ${hours === 1 ? 'hour' : 'hours'}`;

/** Execution time beyond the plan, for units. */
export function BuyTime() {
  const queryClient = useQueryClient();
  const { data, error } = useQuery(extensionQuery);
  const [typed, setTyped] = useState<number | string>(5);
  // Pressed twice it is still one purchase.
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const hours = Number(typed);
  const isPossible = Number.isInteger(hours) && hours >= 1 && hours <= mostExtensionHours;
  const buy = useMutation({
    mutationFn: () => client.quota.buyExtension({ hours, request_id: requestId, hour_price: data?.hour_price }),
    onSuccess: () => toast(`${hourWords(hours)} added.`),
    onError: (failure) => toastError(failure, 'Could not buy execution time'),
    onSettled: async () => {
      setRequestId(crypto.randomUUID());
      await Promise.all(
        [extensionQuery.queryKey, quotaQuery.queryKey, api.wallet.key(), sessionQuery.queryKey].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      );
    },
  });
  const price = data && isPossible ? hours * data.hour_price : null;
  const isShort = data !== undefined && price !== null && price > data.balance;
  return (
    <>
      <Title order={2} className={classes.title}>
        Execution time extension
      </Title>
      <Text size="sm" c="dimmed">
        Used when the time of your plan is used up. It does not expire.
      </Text>
      {error && !data ? (
        <Text role="alert">{messageOf(error)}</Text>
      ) : data ? (
        <form
          className={classes.buy}
          onSubmit={(event) => {
            event.preventDefault();
            if (isPossible && !isShort && !buy.isPending) buy.mutate();
          }}
        >
          <dl className={figures.rows}>
            <Figure name="You have">{timeInWords(data.extension_balance)}</Figure>
            <Figure name="One hour costs">{unitWords(data.hour_price)}</Figure>
            <Figure name="Your balance">{unitWords(data.balance)}</Figure>
          </dl>
          <Group align="flex-end" gap="sm">
            <NumberInput
              label="Hours"
              className={classes.hours}
              value={typed}
              onChange={(value) => {
                setTyped(value);
                setRequestId(crypto.randomUUID());
              }}
              min={1}
              max={mostExtensionHours}
              allowDecimal={false}
            />
            {isShort ? (
              <LinkButton to="/wallet">Add units</LinkButton>
            ) : (
              <Button type="submit" loading={buy.isPending} disabled={price === null}>
                {price === null ? 'Buy execution time' : `Pay ${unitWords(price)}`}
              </Button>
            )}
          </Group>
          {isShort && (
            <Text size="sm" role="status">
              {hourWords(hours)} cost {unitWords(price ?? 0)}.
            </Text>
          )}
        </form>
      ) : (
        <Skeleton height={120} mt="sm" />
      )}
    </>
  );
}
