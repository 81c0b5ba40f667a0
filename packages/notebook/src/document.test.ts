import type { DocumentCell, DocumentChange, Operation, PublishedChange } from '@atoll/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyChange,
  applyItems,
  compareCells,
  initialRanks,
  isIncomplete,
  type NotebookParts,
  operate,
  operateAll,
  publishedChange,
} from './document.ts';
import { textChecksum } from './text-checksum.ts';

const cell = (id: string, rank: string, more: Partial<DocumentCell> = {}): DocumentCell => ({
  id,
  rank,
  type: 'code',
  source: '',
  metadata: {},
  attachments: null,
  revision: 0,
  ...more,
});

const notebook = (ids: string[]): NotebookParts => {
  const ranks = initialRanks(ids.length);
  return {
    cells: ids.map((id, index) => cell(id, ranks[index] ?? '')),
    bin: [],
    head: { metadata: {}, revision: 0 },
    items: new Map(),
  };
};

function applied(parts: NotebookParts, { change }: { change: DocumentChange }): NotebookParts {
  const gone = parts.cells.filter(({ id }) => change.deleted_ids.includes(id));
  return {
    cells: applyChange(parts.cells, change, (each) => each),
    bin: [...parts.bin.filter(({ id }) => !change.cells.some((each) => each.id === id)), ...gone],
    head: change.head ?? parts.head,
    items: applyItems(parts.items, change.items),
  };
}

function done(parts: NotebookParts, operations: Operation[]) {
  const result = operateAll(parts, operations);
  if (result.stale) throw new Error(`stale: ${result.stale}`);
  return { ...applied(parts, result), inverse: result.inverse, change: result.change };
}

const ids = ({ cells }: Pick<NotebookParts, 'cells'>) => cells.map(({ id }) => id);

describe('an operation', () => {
  test('puts cells where they belong', () => {
    const parts = notebook(['a', 'b', 'c']);
    const newCell = { id: 'x', type: 'code' as const, source: '1', metadata: {}, attachments: null };
    expect(ids(done(parts, [{ op: 'insert_cell', cell: newCell, after_id: null }]))).toEqual(['x', 'a', 'b', 'c']);
    expect(ids(done(parts, [{ op: 'insert_cell', cell: newCell, after_id: 'b' }]))).toEqual(['a', 'b', 'x', 'c']);
    expect(ids(done(parts, [{ op: 'move_cell', cell_id: 'a', after_id: 'c' }]))).toEqual(['b', 'c', 'a']);
    expect(ids(done(parts, [{ op: 'move_cell', cell_id: 'c', after_id: null }]))).toEqual(['c', 'a', 'b']);
    expect(ids(done(parts, [{ op: 'delete_cell', cell_id: 'b' }]))).toEqual(['a', 'c']);
  });

  test('reports that it no longer applies', () => {
    const parts = notebook(['a']);
    const newCell = { id: 'a', type: 'code' as const, source: '', metadata: {}, attachments: null };
    expect(operate(parts, { op: 'delete_cell', cell_id: 'x' })).toEqual({ stale: 'gone', cellId: 'x' });
    expect(operate(parts, { op: 'insert_cell', cell: newCell, after_id: null })).toMatchObject({ stale: 'exists' });
    expect(operate(parts, { op: 'move_cell', cell_id: 'a', after_id: 'x' })).toMatchObject({ stale: 'gone' });
    const write: Operation = { op: 'update_cell_source', cell_id: 'a', source: 'y', base_revision: 3 };
    expect(operate(parts, write)).toMatchObject({ stale: 'changed' });
    const over = (text: string): Operation => ({
      op: 'update_cell_source',
      cell_id: 'a',
      source: 'y',
      base_checksum: textChecksum(text),
    });
    expect(operate(parts, over(' '))).toMatchObject({ stale: 'changed' });
    expect(operate(parts, over('')).stale).toBeUndefined();
  });

  const anyText = fc.string({ unit: 'binary', maxLength: 30 });
  test('gives a text the same checksum before and after it was stored', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        const stored = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');
        expect(textChecksum(one) === textChecksum(other)).toBe(stored(one) === stored(other));
        expect(textChecksum(stored(one))).toBe(textChecksum(one));
      }),
    );
  });

  test('makes a cell an input, a query or text, and back', () => {
    const parts = notebook(['a']);
    const input = done(parts, [{ op: 'set_cell_type', cell_id: 'a', type: 'input' }]);
    expect(input.cells[0]).toMatchObject({
      type: 'input',
      source: 'value = ""',
      metadata: { atoll: { type: 'input' } },
    });
    const named: Operation = {
      op: 'update_cell_metadata',
      cell_id: 'a',
      metadata: { atoll: { input: { kind: 'number', name: 'n', value: 3 } } },
    };
    expect(done(input, [named]).cells[0]?.source).toBe('n = 3');
    const sql = done(parts, [{ op: 'set_cell_type', cell_id: 'a', type: 'sql' }]);
    expect(sql.cells[0]?.metadata).toEqual({ atoll: { type: 'sql', variable: 'result' } });
    const back = done(sql, [{ op: 'set_cell_type', cell_id: 'a', type: 'markdown' }]);
    expect(back.cells[0]).toMatchObject({ type: 'markdown', metadata: { atoll: { variable: 'result' } } });
    expect(back.change.cleared_ids).toEqual(['a']);
  });

  test('treats a name of an object property like any other name', () => {
    const metadata = JSON.parse('{"__proto__": {"polluted": true}, "constructor": null}');
    const after = done(notebook(['a']), [{ op: 'update_cell_metadata', cell_id: 'a', metadata }]);
    expect(Object.keys(after.cells[0]?.metadata ?? {})).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

const names = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const anyName = fc.constantFrom(...names);
const anyPlace = fc.option(anyName, { nil: null });
const anyMetadata = fc.dictionary(
  fc.constantFrom('x', 'y', 'atoll'),
  fc.oneof(fc.integer(), fc.constant(null), fc.string()),
);
const anyFields = fc.dictionary(
  fc.constantFrom('kind', 'x', 'y', 'w', 'z', 'group', 'grid'),
  fc.oneof(fc.integer(), fc.constant(null), fc.dictionary(fc.constantFrom('x', 'w'), fc.integer())),
);
const anyOperation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    op: fc.constant('insert_cell' as const),
    cell: fc.record({
      id: anyName,
      type: fc.constantFrom('code' as const, 'markdown' as const, 'sql' as const, 'input' as const),
      source: fc.string(),
      metadata: fc.constant({}),
      attachments: fc.constant(null),
    }),
    after_id: anyPlace,
  }),
  fc.record({ op: fc.constant('move_cell' as const), cell_id: anyName, after_id: anyPlace }),
  fc.record({ op: fc.constant('delete_cell' as const), cell_id: anyName }),
  fc.record({ op: fc.constant('restore_cell' as const), cell_id: anyName }),
  fc.record({
    op: fc.constant('set_cell_type' as const),
    cell_id: anyName,
    type: fc.constantFrom('code' as const, 'markdown' as const, 'raw' as const, 'sql' as const, 'input' as const),
  }),
  fc.record({ op: fc.constant('update_cell_source' as const), cell_id: anyName, source: fc.string() }),
  fc.record({ op: fc.constant('update_cell_metadata' as const), cell_id: anyName, metadata: anyMetadata }),
  fc.record({ op: fc.constant('update_cell_attachments' as const), cell_id: anyName, attachments: anyMetadata }),
  fc.record({ op: fc.constant('update_metadata' as const), metadata: anyMetadata }),
  fc.record({ op: fc.constant('insert_item' as const), item_id: anyName, fields: anyFields }),
  fc.record({ op: fc.constant('update_item' as const), item_id: anyName, fields: anyFields }),
  fc.record({ op: fc.constant('delete_item' as const), item_id: anyName }),
);

describe('any operations', () => {
  test('leave all clients with the same document, in whatever order they arrive', () => {
    fc.assert(
      fc.property(
        fc.array(anyOperation, { maxLength: 60 }),
        fc.array(fc.nat(), { maxLength: 200 }),
        (operations, mix) => {
          let server = notebook(['a', 'b', 'c']);
          const told: PublishedChange[] = [];
          for (const operation of operations) {
            const result = operate(server, operation);
            if (result.stale) continue;
            const before = server;
            server = applied(server, result);
            told.push(publishedChange(result.change, (id) => before.cells.find((each) => each.id === id)));
          }
          // One client receives everything in order and some of it twice; another was away, and loads the current state.
          let hears = notebook(['a', 'b', 'c']).cells as DocumentCell[];
          let items = notebook([]).items;
          for (const [index, change] of told.entries()) {
            expect(isIncomplete((id) => hears.find((each) => each.id === id), change)).toBe(false);
            hears = applyChange(hears, change, (each) => each);
            const again = mix[index % (mix.length || 1)] ?? 0;
            if (again % 3 === 0) hears = applyChange(hears, change, (each) => each);
            // Late updates of an item change nothing, either.
            items = applyItems(items, change.items);
            items = applyItems(items, told[again % (index + 1)]?.items ?? []);
          }
          expect(hears).toEqual(server.cells);
          expect(items).toEqual(server.items);
          expect([...server.cells].sort(compareCells)).toEqual(server.cells);
          expect(new Set(ids(server)).size).toBe(server.cells.length);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('have the same result in the browser and on the server, which has only the cells they name', () => {
    fc.assert(
      fc.property(fc.array(anyOperation, { maxLength: 40 }), (operations) => {
        let parts = notebook(['a', 'b', 'c']);
        for (const operation of operations) {
          const named = 'cell_id' in operation ? operation.cell_id : null;
          const partial = parts.cells.map((each) =>
            each.id === named ? each : cell(each.id, each.rank, { type: 'raw', source: '?' }),
          );
          const guess = operate(parts, operation);
          const one = 'item_id' in operation ? parts.items.get(operation.item_id) : undefined;
          const items = new Map(one ? [[one.id, one]] : []);
          expect(operate({ ...parts, cells: partial, items }, operation)).toEqual(guess);
          if (!guess.stale) parts = applied(parts, guess);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('are undone by their inverse', () => {
    const alive = ({ items }: NotebookParts) =>
      [...items.values()]
        .flatMap(({ id, fields }) => (fields ? [{ id, fields }] : []))
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    const withoutRevision = (parts: NotebookParts) => parts.cells.map(({ revision: _, rank: __, ...rest }) => rest);
    fc.assert(
      fc.property(fc.array(anyOperation, { maxLength: 20 }), (operations) => {
        let before = notebook(['a', 'b', 'c']);
        for (const operation of operations) {
          const result = operate(before, operation);
          if (result.stale) continue;
          const after = applied(before, result);
          const undone = operateAll(after, result.inverse);
          if (undone.stale) throw new Error(`The inverse is stale: ${undone.stale}`);
          const back = applied(after, undone);
          // The code of an input follows its metadata, so code that was typed into it before cannot come back.
          if (operation.op !== 'set_cell_type' && operation.op !== 'update_cell_metadata') {
            expect(withoutRevision(back)).toEqual(withoutRevision(before));
            expect(back.head.metadata).toEqual(before.head.metadata);
            expect(alive(back)).toEqual(alive(before));
          } else expect(ids(back)).toEqual(ids(before));
          before = after;
        }
      }),
      { numRuns: 300 },
    );
  });
});
