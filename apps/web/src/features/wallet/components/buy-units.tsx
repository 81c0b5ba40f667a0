import '@mantine/core/styles/NumberInput.layer.css';
import type { UnitPurchaseInfo } from '@atoll/contract/payments/entity';
import { Button, NumberInput, SegmentedControl, Skeleton, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { toastError } from '../../../ui/toast.ts';
import { priceWords, unitWords } from '../model.ts';
import { purchaseInfoQuery } from '../queries.ts';
import classes from './wallet.module.css';

const other = 'other';

/** Buys units where they are sold; says how to get some where they are not. */
export function BuyUnits() {
  const { data: info } = useQuery(purchaseInfoQuery);
  return (
    <>
      <Title order={2} className={classes.title}>
        Add units
      </Title>
      {!info ? (
        <Skeleton height={60} />
      ) : (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            {info.message}
          </Text>
          {info.is_available && <BuyForm info={info} />}
        </>
      )}
    </>
  );
}

function BuyForm({ info }: { info: UnitPurchaseInfo }) {
  const [choice, setChoice] = useState(String(info.packages[1] ?? other));
  const [typed, setTyped] = useState<number | string>(info.least_units);
  // Pressed twice it is still one purchase; another amount is another one.
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const units = Number(choice === other ? typed : choice);
  const isPossible = Number.isInteger(units) && units >= info.least_units && units <= info.most_units;
  const open = useMutation({
    mutationFn: () => client.payments.open({ units, request_id: requestId }),
    onSuccess: ({ url }) => {
      setRequestId(crypto.randomUUID());
      if (url) window.location.assign(url);
    },
    onError: (error) => toastError(error, 'Could not start the payment'),
  });
  const change = (set: () => void) => {
    set();
    setRequestId(crypto.randomUUID());
  };
  return (
    <form
      className={classes.buy}
      onSubmit={(event) => {
        event.preventDefault();
        if (isPossible && !open.isPending) open.mutate();
      }}
    >
      <SegmentedControl
        aria-label="Units"
        value={choice}
        onChange={(value) => change(() => setChoice(value))}
        data={[
          ...info.packages.map((amount) => ({ value: String(amount), label: amount.toLocaleString('en') })),
          { value: other, label: 'Other' },
        ]}
      />
      {choice === other && (
        <NumberInput
          label="Number of units"
          value={typed}
          onChange={(value) => change(() => setTyped(value))}
          min={info.least_units}
          max={info.most_units}
          allowDecimal={false}
          thousandSeparator=","
          error={isPossible ? undefined : `From ${unitWords(info.least_units)} to ${unitWords(info.most_units)}`}
        />
      )}
      <Button type="submit" loading={open.isPending} disabled={!isPossible}>
        {isPossible ? `Buy ${unitWords(units)} for ${priceWords(units * info.unit_price)}` : 'Buy units'}
      </Button>
    </form>
  );
}
