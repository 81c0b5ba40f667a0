import { UnstyledButton } from '@mantine/core';
import { useMemo } from 'react';
import { headingsOf } from '../model.ts';
import { useNotebook, useSignal } from '../notebook-context.tsx';
import { PanelHead } from '../panel-head.tsx';
import classes from './side-panels.module.css';

/** The headings of the texts. */
export function OutlinePanel() {
  const { store, ui } = useNotebook();
  const order = useSignal(store, 'order', store.getOrder);
  const sources = useSignal(store, 'document', () => headingKey(store));
  const active = useSignal(ui, 'active', ui.getActive);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says when a heading is another one.
  const headings = useMemo(
    () => order.flatMap((id) => headingsOf(store.getCell(id) ?? { id, type: 'raw', source: '' })),
    [order, sources],
  );
  const highest = Math.min(...headings.map(({ level }) => level));
  return (
    <>
      <PanelHead id="outline" title="Contents" />
      {headings.length === 0 && <p className={classes.empty}>No headings. Add a Markdown cell that starts with #.</p>}
      <ol className={classes.list}>
        {headings.map(({ cellId, level, text, index }) => (
          <li key={`${cellId}-${index}`}>
            <UnstyledButton
              className={classes.item}
              data-current={cellId === active || undefined}
              style={{ paddingLeft: 8 + (level - highest) * 14, fontWeight: level === highest ? 550 : 400 }}
              onClick={() => ui.goTo(cellId, 'start')}
            >
              {text}
            </UnstyledButton>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Changes only when a text cell does. */
function headingKey(store: ReturnType<typeof useNotebook>['store']): number {
  let sum = 0;
  for (const id of store.getOrder()) {
    const cell = store.getCell(id);
    if (cell?.type === 'markdown') sum += cell.revision;
  }
  return sum;
}
