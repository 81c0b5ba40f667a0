import type { DocumentCell } from '@atoll/contract';
import { variableOf } from '@atoll/notebook';
import { useEffect, useState } from 'react';
import { useNotebook } from '../notebook-context.tsx';
import classes from './sql-bar.module.css';

const name = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The name that the result of a query gets. */
export function SqlBar({ id, cell, isReadOnly }: { id: string; cell: DocumentCell; isReadOnly: boolean }) {
  const { store } = useNotebook();
  const current = variableOf(cell);
  const [value, setValue] = useState(current);
  useEffect(() => setValue(current), [current]);
  const keep = () => {
    if (value === current) return;
    if (!name.test(value)) return setValue(current);
    store.edit([{ op: 'update_cell_metadata', cell_id: id, metadata: { atoll: { variable: value } } }]);
  };
  return (
    <div className={classes.sqlBar}>
      <label htmlFor={`variable-${id}`}>SQL result in</label>
      <input
        id={`variable-${id}`}
        value={value}
        readOnly={isReadOnly}
        aria-invalid={!name.test(value) || undefined}
        onChange={(event) => setValue(event.currentTarget.value)}
        onBlur={keep}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
      <span data-explains>
        Query files of the project and DataFrames as tables; <code>$name</code> is the value of a variable or input.
      </span>
    </div>
  );
}
