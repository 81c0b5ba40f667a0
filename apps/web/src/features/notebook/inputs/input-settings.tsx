import '@mantine/core/styles/NumberInput.layer.css';
import type { CellInput } from '@atoll/contract';
import { Button, Group, Modal, NativeSelect, NumberInput, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNotebook } from '../notebook-context.tsx';
import { inputKinds } from './input-kinds.ts';

const variable = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The settings of an input: its label, kind and the name of its value in the code. */
export function InputSettings({ id, input, onClose }: { id: string; input: CellInput; onClose(): void }) {
  const { store } = useNotebook();
  const [draft, setDraft] = useState({ ...input, optionText: input.options.join('\n') });
  const isNamed = variable.test(draft.name);
  const change = (fields: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...fields }));
  const hasOptions = draft.kind === 'select' || draft.kind === 'multiselect';
  const hasRange = draft.kind === 'number' || draft.kind === 'slider';
  const keep = (event: FormEvent) => {
    event.preventDefault();
    if (!isNamed) return;
    const { optionText, ...fields } = draft;
    const options = optionText
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    const next: CellInput = { ...fields, options, value: valueFor({ ...fields, options }) };
    store.edit([{ op: 'update_cell_metadata', cell_id: id, metadata: { atoll: { input: withNulls(next) } } }]);
    onClose();
  };
  const numberOf = (value: string | number) => (typeof value === 'number' ? value : null);
  return (
    <Modal opened onClose={onClose} title="Input" size="sm">
      <form onSubmit={keep}>
        <Stack gap="sm">
          <NativeSelect
            label="Type"
            data={inputKinds.map(([value, label]) => ({ value, label }))}
            value={draft.kind}
            onChange={(event) => change({ kind: event.currentTarget.value as CellInput['kind'] })}
          />
          <TextInput
            label="Variable name"
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            error={isNamed ? undefined : 'Letters, digits and _, not beginning with a digit'}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          <TextInput
            label="Label"
            placeholder={draft.name}
            value={draft.label}
            maxLength={200}
            onChange={(event) => change({ label: event.currentTarget.value })}
          />
          {hasOptions && (
            <Textarea
              label="Options, one per line"
              autosize
              minRows={3}
              maxRows={10}
              value={draft.optionText}
              onChange={(event) => change({ optionText: event.currentTarget.value })}
            />
          )}
          {hasRange && (
            <Group grow gap="xs">
              <NumberInput label="From" value={draft.min ?? ''} onChange={(min) => change({ min: numberOf(min) })} />
              <NumberInput label="To" value={draft.max ?? ''} onChange={(max) => change({ max: numberOf(max) })} />
              <NumberInput
                label="Step"
                min={0}
                value={draft.step ?? ''}
                onChange={(step) => change({ step: numberOf(step) })}
              />
            </Group>
          )}
          <Switch
            label="Run dependent cells when it changes"
            checked={draft.reruns}
            onChange={(event) => change({ reruns: event.currentTarget.checked })}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isNamed}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Metadata is merged, so null removes a field, which then has its default value of null. */
const withNulls = (input: CellInput): Record<string, unknown> => ({ ...input });

/** Keeps the chosen value where it fits the new settings. */
function valueFor({ kind, value, options, min, max }: CellInput): CellInput['value'] {
  if (kind === 'checkbox') return value === true;
  if (kind === 'number' || kind === 'slider') {
    const number = typeof value === 'number' ? value : (min ?? 0);
    return Math.min(max ?? Number.POSITIVE_INFINITY, Math.max(min ?? Number.NEGATIVE_INFINITY, number));
  }
  if (kind === 'multiselect') return Array.isArray(value) ? value.filter((each) => options.includes(each)) : [];
  if (kind === 'select') return typeof value === 'string' && options.includes(value) ? value : (options[0] ?? null);
  if (kind === 'date') return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null;
  return typeof value === 'string' ? value : '';
}
