import { glob } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { tableFormatOf } from '@atoll/contract/files/tables';
import { describe, expect, it } from 'vitest';
import { registry } from './features.ts';
import { documentKindOf, shownView, viewsOf } from './platform/features/document-kind.ts';

const loaded = await registry.load();
const kinds = loaded.flatMap((feature) => feature.loaded.documents ?? []);
const expectDistinct = (values: string[]) => expect(values).toEqual([...new Set(values)]);

describe('the features', () => {
  it('are all in the list', async () => {
    const folders: string[] = [];
    for await (const file of glob(join(import.meta.dirname, 'features/*/feature.ts')))
      folders.push(basename(dirname(file)));
    expect(registry.features.map(({ name }) => name).sort()).toEqual(folders.sort());
  });

  it('claim each name once', () => {
    expectDistinct(registry.features.flatMap(({ projectTabs }) => projectTabs?.map(({ id }) => id) ?? []));
    expectDistinct(loaded.flatMap((feature) => feature.loaded.settingsPages?.map(({ id }) => id) ?? []));
    expectDistinct(
      loaded.flatMap((feature) => feature.loaded.panels?.map(({ id, place }) => `${place === 'inside'} ${id}`) ?? []),
    );
    expectDistinct(kinds.map(({ id }) => id));
    expectDistinct(kinds.flatMap(({ extensions }) => extensions));
  });
});

/** The view a file opens in, then all of them in the order of the control. */
function viewsOfFile(name: string, size = 1): string[] {
  const kind = documentKindOf(kinds, name);
  const views = viewsOf(kind, { size });
  return [shownView(kind, views)?.id ?? '', ...views.map(({ id }) => id)];
}

describe('the views of a file', () => {
  it('fit what is in it', () => {
    expect(viewsOfFile('a.py')).toEqual(['code', 'code']);
    expect(viewsOfFile('Makefile')).toEqual(['code', 'code']);
    expect(viewsOfFile('a.md')).toEqual(['code', 'code', 'preview']);
    expect(viewsOfFile('a.ipynb')).toEqual(['preview', 'code', 'preview', 'board', 'dashboard']);
    expect(viewsOfFile('a.mpsw')).toEqual(['board', 'code', 'preview', 'board', 'dashboard']);
    expect(viewsOfFile('a.png')).toEqual(['preview', 'preview']);
    expect(viewsOfFile('a.svg')).toEqual(['preview', 'code', 'preview']);
    expect(viewsOfFile('a.zip')).toEqual(['']);
    expect(viewsOfFile('a.csv')).toEqual(['data', 'code', 'data']);
    expect(viewsOfFile('a.CSV', 1024 ** 3)).toEqual(['data', 'data']);
    expect(viewsOfFile('a.parquet')).toEqual(['data', 'data']);
    expect(viewsOfFile('tides.2026.CSV.gz')).toEqual(['data', 'data']);
    expect(viewsOfFile('big.txt', 1024 ** 3)).toEqual(['']);
  });

  it('show as a table what the server can read as one', () => {
    const tables = kinds
      .filter(({ views }) => views.some(({ id }) => id === 'data'))
      .flatMap((kind) => kind.extensions);
    const texts = ['csv', 'json', 'jsonl', 'ndjson', 'tsv'];
    const compressed = texts.flatMap((extension) => [`${extension}.gz`, `${extension}.zst`]);
    expect(tables.toSorted()).toEqual([...texts, ...compressed, 'parquet', 'xlsx'].toSorted());
    expect(tableFormatOf('a.parquet.gz')).toBeNull();
    expect(tables.map((extension) => tableFormatOf(`a.${extension}`))).not.toContain(null);
  });
});
