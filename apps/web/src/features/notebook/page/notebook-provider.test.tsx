import type { DocumentCell, Notebook } from '@atoll/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { FeatureRegistry } from '../../../platform/features/registry.ts';
import type { TopicHandlers } from '../../../platform/realtime/realtime.ts';
import { fileOf, renderPart } from '../../../test/render.tsx';
import type { Command } from '../commands.ts';
import { nothingShown } from '../model.ts';
import { useCell, useNotebook, useOrder } from '../notebook-context.tsx';
import { getOpenNotebook } from '../open.ts';
import { NotebookPane } from './notebook-pane.tsx';
import { type NotebookData, NotebookProvider } from './notebook-provider.tsx';

const topic = vi.hoisted(() => ({
  handlers: {} as TopicHandlers<'notebook'>,
  sent: [] as string[],
}));
vi.mock('../../../platform/realtime/realtime.ts', async (original) => ({
  ...(await original<object>()),
  subscribe: (_key: string, _params: object, handlers: TopicHandlers<'notebook'>) => {
    topic.handlers = handlers;
    return {
      send: async (command: string) => {
        topic.sent.push(command);
        return { queue: [], locks: [], cells: [], deleted_ids: [], head: null, cleared_ids: [], items: [], shown: {} };
      },
      tell: () => {},
      leave: () => {},
    };
  },
}));

const cell = (id: string, rank: string, source: string, revision = 1): DocumentCell => ({
  id,
  rank,
  type: 'code',
  source,
  metadata: {},
  attachments: null,
  revision,
});
const cells = [cell('a', 'a0', 'one'), cell('b', 'a1', 'two')];
const notebook = {
  file_id: 'plan.ipynb',
  version: 1,
  version_id: 'v',
  position: 1,
  mode: 'edit',
  language: 'python',
  problems: [],
  is_saved: true,
  head: { metadata: {}, revision: 1 },
  settings: { is_autorun_after_files_updated: false, is_parallel_execution_enabled: false },
  cells: cells.map((each) => ({ ...each, ...nothingShown })),
  items: [],
  locks: [],
  queue: [],
  kernel: { state: 'none', features: [] },
} as unknown as Notebook;

/** Another view over the same store: cards in a heap instead of a list of cells. */
const Board = (data: NotebookData) => (
  <NotebookProvider {...data} commands={[command]}>
    <Heap />
  </NotebookProvider>
);
const command: Command = { id: 'tidy', label: 'Tidy up', group: 'View', keys: [], when: 'command', run: () => {} };

function Heap() {
  const { store } = useNotebook();
  return (
    <>
      {useOrder().map((id) => (
        <Card key={id} id={id} />
      ))}
      <button type="button" onClick={() => void store.runAll()}>
        Run the board
      </button>
    </>
  );
}

function Card({ id }: { id: string }) {
  const { store } = useNotebook();
  return (
    <textarea
      aria-label={id}
      value={useCell(id)?.source ?? ''}
      onChange={(event) => store.type(id, event.target.value)}
    />
  );
}

const card = (id: string) => screen.findByRole<HTMLTextAreaElement>('textbox', { name: id });

beforeEach(async () => {
  topic.sent.length = 0;
  const answers = {
    '/v1/projects/p/files/plan.ipynb/notebook': notebook,
    '/v1/notebooks/p/files-dirs': { files: [], directories: [] },
  };
  const file = fileOf('plan.ipynb');
  await renderPart({ registry: new FeatureRegistry([]), answers }, <NotebookPane file={file} canEdit view={Board} />);
  await card('a');
  act(() => topic.handlers.onJoined?.({ mode: 'edit' } as never, false));
});

it('draws a notebook in another view, with the changes of others', async () => {
  expect((await card('b')).value).toBe('two');
  act(() =>
    topic.handlers.on?.document_changed?.({
      cells: [cell('b', 'a1', 'two, changed', 2), cell('c', 'a2', 'three')],
      deleted_ids: ['a'],
      head: null,
      cleared_ids: [],
      items: [],
      shown: {},
      user: null,
    }),
  );
  expect((await card('c')).value).toBe('three');
  expect((await card('b')).value).toBe('two, changed');
  expect(screen.queryByRole('textbox', { name: 'a' })).toBeNull();
});

it('edits and runs it through the same store', async () => {
  fireEvent.change(await card('a'), { target: { value: 'one more' } });
  expect(getOpenNotebook()?.notebook.store.sourceOf('a')).toBe('one more');
  fireEvent.click(screen.getByRole('button', { name: 'Run the board' }));
  await vi.waitFor(() => expect(topic.sent).toEqual(expect.arrayContaining(['edit', 'execute_all_cells'])));
});

it('offers the commands of the view, and not those of a list of cells', () => {
  expect(getOpenNotebook()?.commands.map(({ label }) => label)).toEqual(['Tidy up']);
});
