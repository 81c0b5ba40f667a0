import type { CellType } from '@atoll/contract';
import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import { insertAfter } from '../actions.ts';
import { inputKinds, inputNames, newInput } from '../inputs/input-kinds.ts';
import { newCell } from '../model.ts';
import { useNotebook } from '../notebook-context.tsx';

const insertable: [CellType, string][] = [
  ['code', 'Code'],
  ['markdown', 'Text'],
  ['sql', 'SQL'],
  ['input', 'Input'],
];

interface InsertButtonsProps {
  /** Null: at the beginning. */
  after(): string | null;
  button(label: string, onClick?: () => void): ReactElement;
}

/** Buttons that insert a cell at once, or an input of a chosen kind. */
export function InsertButtons({ after, button }: InsertButtonsProps) {
  const { store, ui } = useNotebook();
  const acting = { store, ui };
  return insertable.map(([type, label]) =>
    type === 'input' ? (
      <Menu key={type} position="bottom-start" width={200}>
        <Menu.Target>{button(label)}</Menu.Target>
        <Menu.Dropdown>
          {inputKinds.map(([kind, name]) => (
            <Menu.Item
              key={kind}
              onClick={() => {
                const atoll = { input: newInput(kind, inputNames(store)) };
                insertAfter(acting, after(), [newCell('input', { metadata: { atoll } })]);
              }}
            >
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    ) : (
      <span key={type} style={{ display: 'contents' }}>
        {button(label, () => insertAfter(acting, after(), [newCell(type)], 'edit'))}
      </span>
    ),
  );
}
