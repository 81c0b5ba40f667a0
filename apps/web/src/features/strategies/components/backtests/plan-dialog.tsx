import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import '@mantine/core/styles/NumberInput.layer.css';
import type { StrategyParameter, TestPlan } from '@atoll/contract/strategies/entity';
import { mostSweepPoints } from '@atoll/contract/strategies/values';
import { Button, Group, Modal, MultiSelect, NativeSelect, NumberInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { combinationsOf, rangeOf, stepsOf } from '../../model.ts';

interface PlanDialogProps {
  kind: 'sweep' | 'walk_forward';
  parameters: StrategyParameter[];
  isPending: boolean;
  onStart(plan: TestPlan): void;
  onClose(): void;
}

interface Span {
  from: number;
  to: number;
  step: number;
}
const isNumber = ({ kind }: StrategyParameter) => kind === 'integer' || kind === 'number';

/** About so many values, on the parameter's own steps. */
function spanOf(parameter: StrategyParameter, count: number): Span {
  const values = rangeOf(parameter, count).map(Number);
  const [from = 0, next = from + 1] = values;
  return { from, to: parameter.max ?? values.at(-1) ?? from, step: Number((next - from).toPrecision(6)) };
}

/** Which parameters are varied, from where to where, and which combinations are left out. */
export function PlanDialog({ kind, parameters, isPending, onStart, onClose }: PlanDialogProps) {
  const [chosen, setChosen] = useState(parameters.slice(0, 2).map(({ name }) => name));
  const [spans, setSpans] = useState(
    new Map(parameters.filter(isNumber).map((each) => [each.name, spanOf(each, kind === 'sweep' ? 10 : 5)])),
  );
  const [less, setLess] = useState('');
  const [greater, setGreater] = useState('');
  const [folds, setFolds] = useState(6);
  const varied = parameters.filter(({ name }) => chosen.includes(name));
  const ranges = Object.fromEntries(
    varied.map((each) => {
      const span = spans.get(each.name);
      return [each.name, span ? stepsOf(span.from, span.to, span.step) : rangeOf(each, 2)];
    }),
  );
  const constraints = less && greater && less !== greater ? [{ less, greater }] : [];
  const count = combinationsOf({ ranges, constraints });
  const isTooMany = Object.values(ranges).reduce((product, { length }) => product * length, 1) > mostSweepPoints;
  const numeric = varied.filter(isNumber);
  const names = [{ value: '', label: 'Any' }, ...numeric.map(({ name, label }) => ({ value: name, label }))];
  return (
    <Modal opened onClose={onClose} title={kind === 'sweep' ? 'Sweep over parameters' : 'Walk-forward'}>
      <Stack>
        <Text size="sm" c="dimmed">
          {kind === 'sweep'
            ? 'Tests every combination. The best of many is partly luck: look for a wide good area, not for a peak.'
            : 'Chooses the best parameters on one part of the time and tests them on the next, again and again.'}
        </Text>
        <MultiSelect
          label="Parameters to vary"
          data={parameters.map(({ name, label }) => ({ value: name, label }))}
          value={chosen}
          onChange={setChosen}
        />
        {numeric.map(({ name, label }) => (
          <Group key={name} grow align="end" gap="xs">
            {(['from', 'to', 'step'] as const).map((part) => (
              <NumberInput
                key={part}
                label={`${label}: ${part}`}
                value={spans.get(name)?.[part] ?? 0}
                onChange={(value) => {
                  const span = spans.get(name);
                  if (span && typeof value === 'number') setSpans(new Map(spans).set(name, { ...span, [part]: value }));
                }}
              />
            ))}
          </Group>
        ))}
        {numeric.length > 1 && (
          <Group grow align="end" gap="xs">
            <NativeSelect
              label="Only where"
              data={names}
              value={less}
              onChange={(event) => setLess(event.currentTarget.value)}
            />
            <NativeSelect
              label="is below"
              data={names}
              value={greater}
              onChange={(event) => setGreater(event.currentTarget.value)}
            />
          </Group>
        )}
        {kind === 'walk_forward' && (
          <NumberInput
            label="Windows"
            min={2}
            max={24}
            allowDecimal={false}
            value={folds}
            onChange={(value) => typeof value === 'number' && setFolds(value)}
          />
        )}
        <Text size="sm" c={isTooMany ? 'var(--danger-ink)' : 'dimmed'}>
          {isTooMany
            ? `More than the ${mostSweepPoints} combinations that can be tested at once. Choose larger steps.`
            : `${count} combinations${kind === 'walk_forward' ? ` in each of ${folds} parts` : ''}`}
        </Text>
        <Button
          loading={isPending}
          disabled={chosen.length === 0 || count === 0 || isTooMany}
          onClick={() =>
            onStart({
              ranges,
              ...(constraints.length > 0 ? { constraints } : {}),
              ...(kind === 'walk_forward' ? { folds } : {}),
            })
          }
        >
          {kind === 'sweep' ? 'Start the sweep' : 'Start the walk-forward'}
        </Button>
      </Stack>
    </Modal>
  );
}
