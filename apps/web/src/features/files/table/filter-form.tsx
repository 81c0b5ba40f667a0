import type { TableColumn, TableFilter } from '@atoll/contract/files/data';
import type { FilterOperator } from '@atoll/contract/files/tables';
import { Button, Group, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import classes from './data-grid.module.css';
import { filterValue, operatorsOf, operatorWords, takesValue } from './model.ts';

interface FilterFormProps {
  column: TableColumn;
  filter: TableFilter | undefined;
  /** Undefined removes the filter. */
  onFilter(filter: TableFilter | undefined): void;
}

const hints: Partial<Record<TableColumn['kind'], string>> = { time: '2026-11-15', number: '0' };

export function FilterForm({ column, filter, onFilter }: FilterFormProps) {
  const { kind, name } = column;
  const operators = operatorsOf[kind];
  const [operator, setOperator] = useState<FilterOperator>(filter?.operator ?? operators[0] ?? 'equals');
  const [typed, setTyped] = useState<[string, string]>(() => initial(filter, kind));
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = filterValue(operator, kind, typed);
    if ('problem' in read) setProblem(read.problem);
    else onFilter({ column: name, operator, ...read });
  };
  const type = (index: 0 | 1, text: string) => {
    setProblem(null);
    setTyped(([first, second]) => (index === 0 ? [text, second] : [first, text]));
  };
  const field = { size: 'xs', placeholder: hints[kind], error: problem } as const;
  return (
    <form className={classes.form} onSubmit={submit}>
      <NativeSelect
        size="xs"
        label={`Show rows where ${name}`}
        value={operator}
        onChange={(event) => {
          setProblem(null);
          setOperator(event.currentTarget.value as FilterOperator);
        }}
        data={operators.map((each) => ({ value: each, label: operatorWords(each, kind) }))}
      />
      {takesValue(operator) &&
        (kind === 'boolean' ? (
          <NativeSelect
            size="xs"
            aria-label="Value"
            value={typed[0]}
            onChange={(event) => type(0, event.currentTarget.value)}
            data={['true', 'false']}
          />
        ) : operator === 'one_of' ? (
          <Textarea
            {...field}
            aria-label="Values, one on each line"
            placeholder="One value on each line"
            autosize
            minRows={3}
            maxRows={8}
            data-autofocus
            value={typed[0]}
            onChange={(event) => type(0, event.currentTarget.value)}
          />
        ) : (
          <Group gap={6} wrap="nowrap" align="start">
            <TextInput
              {...field}
              aria-label={operator === 'between' ? 'From' : 'Value'}
              inputMode={kind === 'number' ? 'decimal' : undefined}
              data-autofocus
              flex={1}
              value={typed[0]}
              onChange={(event) => type(0, event.currentTarget.value)}
            />
            {operator === 'between' && (
              <TextInput
                {...field}
                error={problem !== null}
                aria-label="To"
                inputMode={kind === 'number' ? 'decimal' : undefined}
                flex={1}
                value={typed[1]}
                onChange={(event) => type(1, event.currentTarget.value)}
              />
            )}
          </Group>
        ))}
      <Group gap="xs" justify="end">
        {filter && (
          <Button size="xs" variant="default" onClick={() => onFilter(undefined)}>
            Remove
          </Button>
        )}
        <Button size="xs" type="submit">
          Filter
        </Button>
      </Group>
    </form>
  );
}

function initial(filter: TableFilter | undefined, kind: TableColumn['kind']): [string, string] {
  const usual = kind === 'boolean' ? 'true' : '';
  const value = filter?.value;
  if (filter?.operator === 'one_of' && Array.isArray(value)) return [value.join('\n'), ''];
  const [first = usual, second = ''] = [value ?? []].flat();
  return [first, second];
}
