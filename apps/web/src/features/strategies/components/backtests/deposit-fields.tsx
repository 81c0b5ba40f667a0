import '@mantine/core/styles/NumberInput.layer.css';
import type { TestSettings } from '@atoll/contract/strategies/entity';
import { ActionIcon, Button, NumberInput, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import classes from '../strategies.module.css';

type Deposits = TestSettings['deposits'];

/** Money that comes in while the test goes on; returns are reckoned without it. */
export function DepositFields({ deposits, onChange }: { deposits: Deposits; onChange(deposits: Deposits): void }) {
  const change = (index: number, fields: Partial<Deposits[number]>) =>
    onChange(deposits.map((deposit, at) => (at === index ? { ...deposit, ...fields } : deposit)));
  return (
    <>
      {deposits.map(({ at, amount }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a deposit is what stands at its place.
        <div key={index} className={classes.deposit}>
          <TextInput
            type="date"
            aria-label={`Day of deposit ${index + 1}`}
            value={at}
            onChange={(event) => change(index, { at: event.currentTarget.value })}
          />
          <NumberInput
            aria-label={`Amount of deposit ${index + 1}`}
            min={1}
            thousandSeparator=" "
            value={amount}
            onChange={(value) => typeof value === 'number' && change(index, { amount: value })}
          />
          <ActionIcon
            aria-label={`Remove deposit ${index + 1}`}
            onClick={() => onChange(deposits.filter((_, each) => each !== index))}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      ))}
      <Button
        variant="default"
        size="xs"
        onClick={() => onChange([...deposits, { at: deposits.at(-1)?.at ?? today(), amount: 1_000 }])}
      >
        Add a deposit
      </Button>
    </>
  );
}

const today = () => new Date().toISOString().slice(0, 10);
