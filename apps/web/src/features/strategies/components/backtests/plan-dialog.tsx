import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import '@mantine/core/styles/NumberInput.layer.css';
import type { StrategyParameter, TestPlan } from '@atoll/contract/strategies/entity';
import { mostSweepPoints } from '@atoll/contract/strategies/values';
import { Button, Modal, MultiSelect, NumberInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { rangeOf } from '../../model.ts';

interface PlanDialogProps {
  kind: 'sweep' | 'walk_forward';
  parameters: StrategyParameter[];
  isPending: boolean;
  onStart(plan: TestPlan): void;
  onClose(): void;
}

/** Which parameters are varied, and how finely. */
export function PlanDialog({ kind, parameters, isPending, onStart, onClose }: PlanDialogProps) {
  const [chosen, setChosen] = useState(parameters.slice(0, 2).map(({ name }) => name));
  const [steps, setSteps] = useState(kind === 'sweep' ? 10 : 5);
  const [folds, setFolds] = useState(6);
  const ranges = Object.fromEntries(
    parameters.filter(({ name }) => chosen.includes(name)).map((each) => [each.name, rangeOf(each, steps)]),
  );
  const count = Object.values(ranges).reduce((product, { length }) => product * length, 1);
  const isTooMany = count > mostSweepPoints;
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
        <NumberInput
          label="Values of each"
          min={2}
          max={40}
          allowDecimal={false}
          value={steps}
          onChange={(value) => typeof value === 'number' && setSteps(value)}
        />
        {kind === 'walk_forward' && (
          <NumberInput
            label="Parts of the time"
            min={2}
            max={24}
            allowDecimal={false}
            value={folds}
            onChange={(value) => typeof value === 'number' && setFolds(value)}
          />
        )}
        <Text size="sm" c={isTooMany ? 'var(--danger-ink)' : 'dimmed'}>
          {isTooMany
            ? `${count} combinations are more than the ${mostSweepPoints} that can be tested at once.`
            : `${count} combinations${kind === 'walk_forward' ? ` in each of ${folds} parts` : ''}`}
        </Text>
        <Button
          loading={isPending}
          disabled={chosen.length === 0 || isTooMany}
          onClick={() => onStart({ ranges, ...(kind === 'walk_forward' ? { folds } : {}) })}
        >
          {kind === 'sweep' ? 'Start the sweep' : 'Start the walk-forward'}
        </Button>
      </Stack>
    </Modal>
  );
}
