import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/NumberInput.layer.css';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import '@mantine/core/styles/Slider.layer.css';
import type { CellInput, DocumentCell, InputValue, NotebookMode } from '@atoll/contract';
import { inputOf } from '@atoll/notebook';
import { ActionIcon, Checkbox, Input, MultiSelect, NumberInput, Select, Slider, TextInput } from '@mantine/core';
import { IconSettings } from '@tabler/icons-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import cellStyles from '../cells/cell.module.css';
import { CellSource } from '../cells/cell-source.tsx';
import { useNotebook } from '../notebook-context.tsx';
import classes from './input-cell.module.css';

const InputSettings = lazyPart(() => import('./input-settings.tsx'), 'InputSettings');

/** A cell with a value that people choose and code reads. */
export function InputCell({ id, cell, mode }: { id: string; cell: DocumentCell; mode: NotebookMode }) {
  const [isOpen, setOpen] = useState(false);
  const input = inputOf(cell);
  if (!input) {
    return (
      <div className={cellStyles.source}>
        <CellSource id={id} type="code" label="Source of an invalid input" isReadOnly={mode !== 'edit'} />
      </div>
    );
  }
  return (
    <div className={classes.input}>
      <Control id={id} input={input} isReadOnly={mode === 'view'} />
      {mode === 'edit' && (
        <ActionIcon size={30} aria-label={`Settings of ${input.label || input.name}`} onClick={() => setOpen(true)}>
          <IconSettings size={16} stroke={1.6} />
        </ActionIcon>
      )}
      <Suspense>{isOpen && <InputSettings id={id} input={input} onClose={() => setOpen(false)} />}</Suspense>
    </div>
  );
}

function Control({ id, input, isReadOnly }: { id: string; input: CellInput; isReadOnly: boolean }) {
  const { store } = useNotebook();
  const [value, setValue] = useState<InputValue>(input.value);
  const given = JSON.stringify(input.value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list is the same when its values are.
  useEffect(() => setValue(input.value), [given]);
  const set = (next: InputValue) => {
    setValue(next);
    if (JSON.stringify(next) !== given) void store.setInput(id, next);
  };
  const label: ReactNode = (
    <>
      {input.label || input.name} {input.label && <span className={classes.name}>{input.name}</span>}
    </>
  );
  const common = { label, disabled: isReadOnly, size: 'sm' as const };
  switch (input.kind) {
    case 'checkbox':
      return (
        <Checkbox {...common} checked={value === true} onChange={(event) => set(event.currentTarget.checked)} py={6} />
      );
    case 'select':
      return (
        <Select
          {...common}
          data={[...new Set(input.options)]}
          value={typeof value === 'string' ? value : null}
          onChange={set}
          searchable={input.options.length > 8}
          placeholder={input.options.length ? 'Select' : 'Add options in the settings'}
        />
      );
    case 'multiselect':
      return (
        <MultiSelect
          {...common}
          data={[...new Set(input.options)]}
          value={Array.isArray(value) ? value : []}
          onChange={set}
          searchable
          placeholder={input.options.length ? 'Select values' : 'Add options in the settings'}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          value={typeof value === 'number' ? value : ''}
          min={input.min ?? undefined}
          max={input.max ?? undefined}
          step={input.step ?? 1}
          onChange={(next) => setValue(typeof next === 'number' ? next : null)}
          onBlur={() => set(value)}
          onKeyDown={(event) => event.key === 'Enter' && set(value)}
        />
      );
    case 'slider':
      return (
        <div>
          <Input.Label id={`slider-${id}`} labelElement="div" size="sm">
            {label}
          </Input.Label>
          <div className={classes.sliderRow}>
            <Slider
              aria-labelledby={`slider-${id}`}
              disabled={isReadOnly}
              min={input.min ?? 0}
              max={input.max ?? 100}
              step={input.step ?? 1}
              label={null}
              thumbLabel={input.label || input.name}
              value={typeof value === 'number' ? value : (input.min ?? 0)}
              onChange={setValue}
              onChangeEnd={set}
            />
            <span className={classes.sliderValue}>{typeof value === 'number' ? value : ''}</span>
          </div>
        </div>
      );
    default:
      return (
        <TextInput
          {...common}
          type={input.kind === 'date' ? 'date' : 'text'}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) =>
            input.kind === 'date' ? set(event.currentTarget.value) : setValue(event.currentTarget.value)
          }
          onBlur={() => set(value)}
          onKeyDown={(event) => event.key === 'Enter' && set(value)}
        />
      );
  }
}
