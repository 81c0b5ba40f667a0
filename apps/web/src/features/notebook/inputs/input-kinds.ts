import type { CellInput } from '@atoll/contract';
import { inputOf } from '@atoll/notebook';
import type { NotebookStore } from '../store.ts';

type Kind = CellInput['kind'];

export const inputKinds: readonly (readonly [Kind, string])[] = [
  ['text', 'Text'],
  ['number', 'Number'],
  ['slider', 'Slider'],
  ['select', 'Select'],
  ['multiselect', 'Multiselect'],
  ['checkbox', 'Checkbox'],
  ['date', 'Date'],
];

const usual: Record<Kind, Partial<CellInput> & { name: string }> = {
  text: { name: 'text', value: '' },
  number: { name: 'number', value: 0 },
  slider: { name: 'amount', value: 50, min: 0, max: 100, step: 1 },
  select: { name: 'choice', value: 'A', options: ['A', 'B'] },
  multiselect: { name: 'choices', value: [], options: ['A', 'B'] },
  checkbox: { name: 'is_on', value: false },
  date: { name: 'day', value: null },
};

/** A new input of this kind, with a name that no other input has. */
export function newInput(kind: Kind, taken: ReadonlySet<string>): CellInput {
  const { name: first, ...fields } = usual[kind];
  let name = first;
  for (let number = 2; taken.has(name); number++) name = `${first}_${number}`;
  return { kind, label: '', value: '', options: [], min: null, max: null, step: null, reruns: false, ...fields, name };
}

export const inputNames = (store: NotebookStore): Set<string> =>
  new Set(
    store.getOrder().flatMap((id) => {
      const cell = store.getCell(id);
      return (cell && inputOf(cell)?.name) ?? [];
    }),
  );
