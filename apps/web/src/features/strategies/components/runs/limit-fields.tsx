import '@mantine/core/styles/NumberInput.layer.css';
import type { RunLimits } from '@atoll/contract/strategies/runs';
import { NumberInput } from '@mantine/core';
import classes from '../strategies.module.css';

export interface LimitInput {
  order: number | '';
  lossPercent: number | '';
}
export const noLimits: LimitInput = { order: '', lossPercent: '' };

/** As the server takes them: what was left empty is no limit. */
export const limitsOf = ({ order, lossPercent }: LimitInput): RunLimits => ({
  ...(order === '' ? {} : { max_order: order }),
  ...(lossPercent === '' ? {} : { max_loss: lossPercent / 100 }),
});

export function LimitFields({ value, onChange }: { value: LimitInput; onChange(value: LimitInput): void }) {
  const number = (given: number | string) => (typeof given === 'number' ? given : '');
  return (
    <div className={classes.pair}>
      <NumberInput
        label="Most in one order"
        description="Larger purchases are refused"
        placeholder="No limit"
        min={1}
        thousandSeparator=" "
        value={value.order}
        onChange={(given) => onChange({ ...value, order: number(given) })}
      />
      <NumberInput
        label="Stop at a loss of"
        description="Then it sells what it holds"
        placeholder="No limit"
        suffix=" %"
        min={1}
        max={100}
        value={value.lossPercent}
        onChange={(given) => onChange({ ...value, lossPercent: number(given) })}
      />
    </div>
  );
}
