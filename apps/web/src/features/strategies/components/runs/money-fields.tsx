import '@mantine/core/styles/NumberInput.layer.css';
import type { ExchangeConnection } from '@atoll/contract/trading/entity';
import { exchangeInfo } from '@atoll/contract/trading/values';
import { NumberInput, Select } from '@mantine/core';
import { EnvironmentBadge } from '../../../trading/environment-badge.tsx';

interface ConnectionFieldProps {
  connections: ExchangeConnection[];
  chosen: ExchangeConnection | undefined;
  onChange(id: string | null): void;
}

/** With whose money: the environment cannot be overlooked. */
export function ConnectionField({ connections, chosen, onChange }: ConnectionFieldProps) {
  return (
    <>
      <Select
        label="Connection"
        data={connections.map(({ id, type, label }) => ({
          value: id,
          label: label ? `${label} (${exchangeInfo[type].name})` : exchangeInfo[type].name,
        }))}
        value={chosen?.id ?? null}
        onChange={onChange}
      />
      {chosen && (
        <div>
          <EnvironmentBadge environment={exchangeInfo[chosen.type].environment} />
        </div>
      )}
    </>
  );
}

export function CapitalField({ value, onChange }: { value: number; onChange(value: number): void }) {
  return (
    <NumberInput
      label="Capital"
      description="The money it may trade with"
      min={1}
      thousandSeparator=" "
      value={value}
      onChange={(given) => typeof given === 'number' && onChange(given)}
    />
  );
}
