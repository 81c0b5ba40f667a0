import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type AskKernel, RemoteFolder } from './remote-folder.ts';

const limits = { memoryBytes: 1, processes: 1, fileBytes: 100, folderBytes: 250, cpu: 1 };

/** A kernel with these files, of which the broken ones cannot be read at the moment. */
async function folderOf(files: Map<string, string>, broken: Set<string>) {
  const folder = await mkdtemp(join(tmpdir(), 'remote-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const read = new Map<string, string>();
  const ask: AskKernel = async (_code, expression = '') => {
    const [, path = '', start, length, state] = /read\("(.*?)", (\d+), (\d+), (.*)\)$/.exec(expression) ?? [];
    if (path === '') {
      const changed = [...files].filter(([name, text]) => read.get(name) !== text);
      return Buffer.from(
        JSON.stringify({ changed: changed.map(([name, text]) => [name, text.length, '1']), gone: [] }),
      );
    }
    if (broken.has(path)) throw new Error('It is gone');
    const text = files.get(path) ?? '';
    if (state !== 'None') read.set(path, text);
    return Buffer.from(text.slice(Number(start), Number(start) + Number(length)));
  };
  const remote = new RemoteFolder({ spec: 'x', folder, environment: {}, limits, hasNetwork: false }, ask);
  return { remote, ask, content: (name: string) => readFile(join(folder, name), 'utf8'), names: () => readdir(folder) };
}

test('a file that cannot be read does not delay others, and is fetched later', async () => {
  const broken = new Set(['first']);
  const files = new Map([
    ['first', 'one'],
    ['second', 'two'],
    ['empty', ''],
  ]);
  const { remote, ask, content, names } = await folderOf(files, broken);
  expect(await remote.fetch(ask)).toEqual([]);
  expect((await names()).sort()).toEqual(['empty', 'second']);
  expect(await remote.fetch()).toEqual(['first could not be fetched.']);
  broken.clear();
  expect(await remote.fetch()).toEqual([]);
  expect(await content('first')).toBe('one');
});

test('a growing file counts once for the limit of the project', async () => {
  const files = new Map([['log', 'x'.repeat(90)]]);
  const { remote, ask, content, names } = await folderOf(files, new Set());
  for (const length of [90, 95, 99]) {
    files.set('log', 'x'.repeat(length));
    expect(await remote.fetch(ask)).toEqual([]);
    expect(await content('log')).toHaveLength(length);
  }
  files.set('more', 'y'.repeat(100)).set('most', 'z'.repeat(100));
  expect(await remote.fetch(ask)).toEqual(['most is too large and stays where the kernel is.']);
  expect(await remote.fetch()).toEqual([]);
  expect((await names()).sort()).toEqual(['log', 'more']);
});
