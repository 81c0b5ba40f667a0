import type { CellType } from '@atoll/contract';
import { IconPlus } from '@tabler/icons-react';
import { insertAfter } from '../actions.ts';
import { newCell } from '../model.ts';
import { useNotebook } from '../notebook-context.tsx';
import classes from './insert-bar.module.css';

export const insertable: [CellType, string][] = [
  ['code', 'Code'],
  ['markdown', 'Text'],
  ['sql', 'SQL'],
  ['input', 'Input'],
];

/** Between two cells: what may come there. */
export function InsertBar({ afterId }: { afterId: string | null }) {
  const { store, ui } = useNotebook();
  return (
    <div className={classes.insert} data-first={afterId === null || undefined}>
      {insertable.map(([type, label]) => (
        <button
          key={type}
          type="button"
          tabIndex={-1}
          aria-label={`Insert ${label} here`}
          onClick={() => insertAfter({ store, ui }, afterId, [newCell(type)], type === 'input' ? 'command' : 'edit')}
        >
          <IconPlus size={11} aria-hidden />
          {label}
        </button>
      ))}
    </div>
  );
}
