import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/NumberInput.layer.css';
import type {
  ParameterValues,
  StrategyDescription,
  StrategyParameter,
  TestSettings,
} from '@atoll/contract/strategies/entity';
import { chartIntervals, exchangeInfo, exchangeTypes } from '@atoll/contract/trading/values';
import { Checkbox, Collapse, NumberInput, Select, TagsInput, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { treeQuery } from '../../../files/queries.ts';
import { marketsQuery } from '../../queries.ts';
import classes from '../strategies.module.css';
import { DepositFields } from './deposit-fields.tsx';

interface SettingsFormProps {
  projectId: string;
  description: StrategyDescription;
  parameters: ParameterValues;
  settings: TestSettings;
  problems: Record<string, string[]>;
  onParameters(values: ParameterValues): void;
  onSettings(settings: TestSettings): void;
}

/** The strategy's own parameters, and what it is tested on. */
export function SettingsForm(props: SettingsFormProps) {
  const { projectId, description, parameters, settings, problems, onParameters, onSettings } = props;
  const [isMore, setIsMore] = useState(false);
  const change = (fields: Partial<TestSettings>) => onSettings({ ...settings, ...fields });
  const problem = (name: string) => problems[`settings.${name}`]?.[0];
  return (
    <>
      {description.parameters.length > 0 && <h2>Parameters</h2>}
      {description.parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          value={parameters[parameter.name] ?? parameter.default}
          error={problems[`parameters.${parameter.name}`]?.[0]}
          onChange={(value) => onParameters({ ...parameters, [parameter.name]: value })}
        />
      ))}
      <h2>Data</h2>
      <SourceFields projectId={projectId} settings={settings} problem={problem} onChange={change} />
      <Select
        label="Bars"
        data={[...chartIntervals]}
        value={settings.timeframe}
        error={problem('timeframe')}
        onChange={(value) => change({ timeframe: value as TestSettings['timeframe'] })}
      />
      <div className={classes.pair}>
        <TextInput
          type="date"
          label="From"
          value={settings.from ?? ''}
          error={problem('from')}
          onChange={(event) => change({ from: event.currentTarget.value || null })}
        />
        <TextInput
          type="date"
          label="To"
          value={settings.to ?? ''}
          error={problem('to')}
          onChange={(event) => change({ to: event.currentTarget.value || null })}
        />
      </div>
      {!settings.from && !settings.to && (
        <Text size="xs" c="dimmed">
          {settings.source.type === 'file' ? 'Without dates: all bars of the file.' : 'Without dates: the last year.'}
        </Text>
      )}
      <NumberInput
        label="Capital"
        min={1}
        value={settings.capital}
        thousandSeparator=" "
        error={problem('capital')}
        onChange={(value) => typeof value === 'number' && change({ capital: value })}
      />
      <UnstyledButton onClick={() => setIsMore(!isMore)} aria-expanded={isMore}>
        <Text size="sm" fw={500}>
          {isMore ? 'Fewer settings' : 'Costs, out of sample and more'}
        </Text>
      </UnstyledButton>
      <Collapse expanded={isMore}>
        <CostFields settings={settings} problem={problem} onChange={change} />
      </Collapse>
    </>
  );
}

interface FieldsProps {
  settings: TestSettings;
  problem(name: string): string | undefined;
  onChange(fields: Partial<TestSettings>): void;
}

function SourceFields({ projectId, settings, problem, onChange }: FieldsProps & { projectId: string }) {
  const { source } = settings;
  const exchange = source.type === 'exchange' ? source.exchange : 'demo';
  const { data: tree } = useQuery(treeQuery(projectId));
  const { data: assets } = useQuery({ ...marketsQuery(exchange), enabled: source.type === 'exchange' });
  const tables = (tree?.files ?? []).map(({ path }) => path).filter((path) => /\.(csv|parquet)$/i.test(path));
  const sources = [
    ...exchangeTypes
      .filter((type) => !exchangeInfo[type].isComingSoon)
      .map((type) => ({ value: type, label: exchangeInfo[type].name })),
    ...tables.map((path) => ({ value: `file:${path}`, label: path })),
  ];
  return (
    <>
      <Select
        label="Source"
        data={sources}
        value={source.type === 'exchange' ? source.exchange : `file:${source.path}`}
        error={problem('source')}
        description={tables.length === 0 ? 'Upload a csv or parquet file to test on it' : undefined}
        onChange={(value) =>
          value &&
          onChange({
            source: value.startsWith('file:')
              ? { type: 'file', path: value.slice('file:'.length) }
              : { type: 'exchange', exchange: value as (typeof exchangeTypes)[number] },
          })
        }
      />
      <TagsInput
        label="Markets"
        data={(assets?.entries ?? []).map(({ remote_id }) => remote_id)}
        value={settings.symbols}
        maxTags={50}
        clearable
        error={problem('symbols')}
        placeholder={settings.symbols.length === 0 ? 'BTC/USDT' : undefined}
        onChange={(symbols) => onChange({ symbols })}
      />
    </>
  );
}

const inPercent = (share: number | null) => (share === null ? '' : Number((share * 100).toFixed(6)));

function CostFields({ settings, problem, onChange }: FieldsProps) {
  const percent = (label: string, name: 'maker_fee' | 'taker_fee' | 'slippage', isOptional = true) => (
    <NumberInput
      label={label}
      suffix=" %"
      min={0}
      max={10}
      step={0.01}
      decimalScale={4}
      placeholder={isOptional ? 'As the exchange' : undefined}
      value={inPercent(settings[name])}
      error={problem(name)}
      onChange={(value) =>
        onChange({ [name]: typeof value === 'number' ? value / 100 : isOptional ? null : 0 } as Partial<TestSettings>)
      }
    />
  );
  return (
    <div className={classes.form} style={{ padding: 0, overflow: 'visible' }}>
      <div className={classes.pair}>
        {percent('Maker fee', 'maker_fee')}
        {percent('Taker fee', 'taker_fee')}
      </div>
      {percent('Slippage', 'slippage', false)}
      <DepositFields deposits={settings.deposits} onChange={(deposits) => onChange({ deposits })} />
      <TextInput
        type="date"
        label="Out of sample from"
        description="What comes after is also shown by itself"
        value={settings.out_of_sample_from ?? ''}
        error={problem('out_of_sample_from')}
        onChange={(event) => onChange({ out_of_sample_from: event.currentTarget.value || null })}
      />
      <Checkbox
        label="Shorter bars decide what came first"
        checked={settings.uses_finer_bars}
        onChange={(event) => onChange({ uses_finer_bars: event.currentTarget.checked })}
      />
      <NumberInput
        label="Seed"
        min={0}
        max={2_147_483_647}
        allowDecimal={false}
        value={settings.seed}
        error={problem('seed')}
        onChange={(value) => typeof value === 'number' && onChange({ seed: value })}
      />
    </div>
  );
}

interface ParameterFieldProps {
  parameter: StrategyParameter;
  value: ParameterValues[string];
  error?: string | undefined;
  onChange(value: ParameterValues[string]): void;
}

function ParameterField({ parameter, value, error, onChange }: ParameterFieldProps) {
  const { kind, label, help, min, max, step, choices } = parameter;
  const shared = { label, description: help || undefined, error };
  if (kind === 'boolean') {
    return (
      <Checkbox {...shared} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
    );
  }
  if (kind === 'choice') {
    return (
      <Select
        {...shared}
        data={choices ?? []}
        value={String(value)}
        onChange={(next) => next !== null && onChange(next)}
      />
    );
  }
  return (
    <NumberInput
      {...shared}
      {...(min === null ? {} : { min })}
      {...(max === null ? {} : { max })}
      step={step ?? (kind === 'integer' ? 1 : 0.1)}
      allowDecimal={kind === 'number'}
      value={Number(value)}
      onChange={(next) => typeof next === 'number' && onChange(next)}
    />
  );
}
