import type { DocumentCell, Notebook } from '@atoll/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import * as act from './actions.ts';
import { nothingShown } from './model.ts';
import { NotebookStore } from './store.ts';
import { NotebookUi } from './ui-state.ts';

const cell = (id: string, rank: string, fields: Partial<DocumentCell> = {}): Notebook['cells'][number] => ({
  id,
  rank,
  type: 'code',
  source: id,
  metadata: {},
  attachments: null,
  revision: 1,
  ...fields,
  ...nothingShown,
});
const picture = (data: string) => ({ 'a b.png': { 'image/png': data } });

let acting: act.Acting;
const order = () => acting.store.getOrder();

function open(...cells: Notebook['cells']): void {
  const store = new NotebookStore({ me: '', tag: '', notify: () => {}, reload: () => {}, schedule: (work) => work() });
  store.load({
    file_id: '',
    version: 1,
    version_id: '',
    position: 0,
    mode: 'edit',
    language: 'python',
    problems: [],
    is_saved: true,
    head: { metadata: {}, revision: 1 },
    settings: store.getSettings(),
    cells,
    items: [],
    locks: [],
    queue: [],
    kernel: store.kernel,
  });
  acting = { store, ui: new NotebookUi(store) };
}

describe('the chosen cell', () => {
  beforeEach(() => open(cell('a', 'a0'), cell('b', 'a1'), cell('c', 'a2')));

  it('moves on to the next cell when it is undone or deleted by another person', () => {
    acting.ui.focus('b');
    act.insert(acting, 'above');
    expect(acting.ui.getActive()).toBe(order()[1]);
    act.goBack(acting, 'undo');
    expect(acting.ui.getActive()).toBe('b');

    acting.ui.focus('c');
    acting.store.edit([{ op: 'delete_cell', cell_id: 'c' }]);
    expect(acting.ui.getActive()).toBe('b');
  });

  it('is the restored cell after an undo', () => {
    acting.ui.focus('b');
    act.remove(acting);
    acting.ui.focus('a');
    act.goBack(acting, 'undo');
    expect(order()).toEqual(['a', 'b', 'c']);
    expect(acting.ui.getActive()).toBe('b');
  });
});

describe('pictures', () => {
  it('stay with a text that is merged or split', () => {
    const source = '![](attachment:a%20b.png)';
    open(
      cell('a', 'a0', { type: 'markdown', source, attachments: picture('one') }),
      cell('b', 'a1', { type: 'markdown', source, attachments: picture('other') }),
    );
    act.merge(acting, ['a', 'b']);
    expect(acting.store.getCell('a')).toMatchObject({
      source: `${source}\n\n![](attachment:2-a%20b.png)`,
      attachments: { ...picture('one'), '2-a b.png': { 'image/png': 'other' } },
    });
    act.split(acting, 'a', source.length);
    expect(acting.store.getCell(order()[1] ?? '')).toMatchObject({
      source: '\n![](attachment:2-a%20b.png)',
      attachments: { '2-a b.png': { 'image/png': 'other' } },
    });
    act.goBack(acting, 'undo');
    act.goBack(acting, 'undo');
    expect(order()).toEqual(['a', 'b']);
    expect(acting.store.getCell('a')).toMatchObject({ source, attachments: picture('one') });
  });
});
