import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { memoryBlobs } from '@atoll/storage';
import { describe, expect, test } from 'vitest';
import { WorkingFolder } from './service/folder/working-folder.ts';
import { final, none, onTheWay, temporary } from './test-folder.ts';

function folder() {
  const root = temporary();
  const inside = join(root, 'inside');
  mkdirSync(inside);
  const blobs = memoryBlobs();
  const put = async (text: string) => (await blobs.put(Readable.from([Buffer.from(text)]), 1_000)).sha256;
  const write = (path: string, text: string) => writeFileSync(join(inside, path), text);
  const remove = (path: string) => rmSync(join(inside, path), { recursive: true });
  return { root, inside, blobs, put, write, remove, working: new WorkingFolder(inside, blobs) };
}

describe('a working folder', () => {
  test('neither reads nor writes through links that users put there', async () => {
    const { root, inside, put, working } = folder();
    mkdirSync(join(inside, 'real'));
    mkdirSync(join(root, 'outside'));
    writeFileSync(join(root, 'outside/secret.txt'), 'secret');
    symlinkSync(join(root, 'outside/secret.txt'), join(inside, 'link.txt'));
    symlinkSync(join(root, 'outside'), join(inside, 'folder'));
    symlinkSync('/proc/self/environ', join(inside, 'real/environ'));
    writeFileSync(join(inside, 'real/own.txt'), 'own');
    const { saved } = await working.changes(final);
    expect(saved.map(({ path }) => path)).toEqual(['real/own.txt']);
    const blob = await put('new');
    await expect(working.fill([{ path: 'folder/new.txt', blob }], [])).rejects.toThrow();
    expect(await readdir(join(root, 'outside'))).toEqual(['secret.txt']);
    await working.fill([{ path: 'link.txt', blob }], []);
    expect(await readFile(join(root, 'outside/secret.txt'), 'utf8')).toBe('secret');
    expect(await readFile(join(inside, 'link.txt'), 'utf8')).toBe('new');
  });

  test('returns new, changed and deleted files, and notices for files it does not keep', async () => {
    const { put, write, remove, working } = folder();
    const blob = await put('a');
    const paths = ['a.txt', 'deep/b.txt'];
    await working.fill(
      paths.map((path) => ({ path, blob })),
      ['empty'],
    );
    expect(await working.changes(final)).toMatchObject(none);
    write('a.txt', 'changed');
    remove('deep');
    write('bad\nname.txt', 'x');
    expect(await working.changes({ ...onTheWay, now: Date.now() })).toMatchObject(none);
    const changes = await working.changes(final);
    expect(changes.saved).toMatchObject([{ path: 'a.txt', size: 7 }]);
    expect(changes.deleted).toEqual([{ path: 'deep/b.txt', blob }]);
    expect(changes.notices).toEqual([expect.stringContaining('was not kept')]);
    expect(await working.changes(final)).toMatchObject({ saved: [], deleted: [] });
  });

  test('contains hidden files, and never reports them as deleted', async () => {
    const { inside, put, working } = folder();
    const blob = await put('a');
    const paths = ['.gitignore', '.github/ci.yml', 'src/__pycache__/a.pyc'];
    await working.fill(
      paths.map((path) => ({ path, blob })),
      [],
    );
    for (const path of paths) expect(await readFile(join(inside, path), 'utf8')).toBe('a');
    for (let walk = 0; walk < 3; walk++) expect(await working.changes(final)).toMatchObject(none);
    const again = new WorkingFolder(inside, memoryBlobs());
    again.remember(paths.map((path) => ({ path, blob, updatedAt: new Date(0) })));
    for (let walk = 0; walk < 3; walk++) expect(await again.changes(final)).toMatchObject(none);
  });

  test('reports a file as deleted when two walks have missed it, at the end one', async () => {
    const { put, write, remove, working } = folder();
    const blob = await put('a');
    await working.fill([{ path: 'a.txt', blob }], []);
    remove('a.txt');
    expect(await working.changes(onTheWay)).toMatchObject(none);
    write('a.txt', 'a');
    expect(await working.changes(onTheWay)).toMatchObject(none);
    remove('a.txt');
    expect(await working.changes(onTheWay)).toMatchObject(none);
    expect((await working.changes(onTheWay)).deleted).toEqual([{ path: 'a.txt', blob }]);
    expect(await working.changes(final)).toMatchObject(none);
  });

  test('after a restart does not touch newer files of the project', async () => {
    const { inside, put, write, remove, working } = folder();
    const updatedAt = new Date('2026-01-01T12:00:00Z');
    const dated = (path: string, minutes: number) => {
      write(path, minutes > 1 ? 'later' : `${path} here`);
      const time = new Date(updatedAt.getTime() + minutes * 60_000);
      utimesSync(join(inside, path), time, time);
    };
    dated('edited-there.txt', -1);
    dated('edited-here.txt', 1);
    dated('same.txt', -1);
    const same = await put('same.txt here');
    const other = await put('other');
    working.remember([
      { path: 'edited-there.txt', blob: other, updatedAt },
      { path: 'edited-here.txt', blob: other, updatedAt },
      { path: 'uploaded.txt', blob: other, updatedAt },
      { path: 'same.txt', blob: same, updatedAt },
    ]);
    const first = await working.changes(onTheWay);
    expect(first.saved.map(({ path }) => path)).toEqual(['edited-here.txt']);
    for (let walk = 0; walk < 3; walk++) expect(await working.changes(final)).toMatchObject(none);
    dated('edited-there.txt', 2);
    remove('same.txt');
    expect(await working.changes(onTheWay)).toMatchObject({ saved: [{ path: 'edited-there.txt' }], deleted: [] });
    expect((await working.changes(onTheWay)).deleted).toEqual([{ path: 'same.txt', blob: same }]);
  });

  test('receives changes of the project, except in files that the code has changed', async () => {
    const { inside, put, write, remove, working } = folder();
    const file = async (path: string, text: string) => ({ path, blob: await put(text) });
    const paths = ['same.txt', 'changed.txt', 'both.txt', 'deleted.txt', 'kept.txt', 'gone.txt'];
    const before = await Promise.all(paths.map((path) => file(path, 'one')));
    await working.fill(before, []);
    expect(await working.update(before)).toBe(false);
    write('both.txt', 'by the code');
    write('kept.txt', 'by the code');
    write('made.txt', 'by the code');
    remove('gone.txt');
    const after = [
      await file('same.txt', 'one'),
      ...(await Promise.all(
        ['changed.txt', 'both.txt', 'gone.txt', 'made.txt', 'new/new.txt'].map((path) => file(path, 'two')),
      )),
    ];
    expect(await working.update(after)).toBe(true);
    expect(await working.update(after)).toBe(false);
    const text = (path: string) => readFile(join(inside, path), 'utf8').catch(() => null);
    expect(
      Object.fromEntries(
        await Promise.all([...paths, 'made.txt', 'new/new.txt'].map(async (path) => [path, await text(path)])),
      ),
    ).toEqual({
      'same.txt': 'one',
      'changed.txt': 'two',
      'both.txt': 'by the code',
      'deleted.txt': null,
      'kept.txt': 'by the code',
      'gone.txt': null,
      'made.txt': 'by the code',
      'new/new.txt': 'two',
    });
    const { saved, deleted } = await working.changes(final);
    expect(saved.map(({ path }) => path).sort()).toEqual(['both.txt', 'kept.txt', 'made.txt']);
    expect(deleted.map(({ path }) => path)).toEqual(['gone.txt']);
    // A file that could not be stored in the folder is not reported as deleted.
    expect(await working.update(after)).toBe(false);
    expect(await text('both.txt')).toBe('by the code');
  });

  test('writes nothing through a link into a folder outside', async () => {
    const { root, inside, put, working } = folder();
    mkdirSync(join(root, 'outside'));
    symlinkSync(join(root, 'outside'), join(inside, 'folder'));
    await working.update([{ path: 'folder/new.txt', blob: await put('new') }]);
    expect(await readdir(join(root, 'outside'))).toEqual([]);
  });

  test('fails when it cannot be read, and does not count as empty', async () => {
    const { root, inside, put, working } = folder();
    const blob = await put('a');
    await working.fill([{ path: 'deep/a.txt', blob }], []);
    renameSync(inside, `${inside}-away`);
    await expect(working.changes(final)).rejects.toThrow('ENOENT');
    renameSync(`${inside}-away`, inside);
    chmodSync(root, 0o755);
    chmodSync(join(inside, 'deep'), 0);
    // Root can read every folder.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      await expect(working.changes(final)).rejects.toThrow('EACCES');
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(join(inside, 'deep'), 0o755);
    }
    expect(await working.changes(final)).toMatchObject(none);
  });

  test('accepts names as long as the disk does, and reports longer ones', async () => {
    const { inside, put, working } = folder();
    const blob = await put('a');
    const longest = `${'ä'.repeat(127)}a`;
    const tooLong = 'ä'.repeat(128);
    const notices = await working.fill(
      [tooLong, `${tooLong}/a.txt`, longest, 'a.txt'].map((path) => ({ path, blob })),
      [`${tooLong}-folder`],
    );
    expect(notices).toHaveLength(3);
    expect(notices[0]).toContain('its name is too long');
    expect((await readdir(inside)).sort()).toEqual(['a.txt', longest]);
    expect(await working.changes(final)).toMatchObject(none);
  });

  test('with very many files keeps ten thousand, reports the limit once, and counts no file as deleted', async () => {
    const { put, write, remove, working } = folder();
    await working.fill([{ path: 'a.txt', blob: await put('a') }], []);
    remove('a.txt');
    for (let index = 0; index < 10_002; index++) write(`${index}.txt`, 'b');
    const { saved, deleted, notices } = await working.changes(final);
    expect(saved).toHaveLength(10_000);
    expect(deleted).toEqual([]);
    expect(notices).toEqual(['there are more than 10,000 files; the rest was not kept']);
  });

  test('stores no more than allowed, and returns restored changes again', async () => {
    const { put, write, remove, working } = folder();
    const blob = await put('old');
    await working.fill([{ path: 'old.txt', blob }], []);
    remove('old.txt');
    write('new.txt', '12345');
    const full = await working.changes({ ...final, mostBytes: 4 });
    expect(full).toMatchObject({ ...none, bytes: 0, isFull: true });
    const changes = await working.changes({ ...final, mostBytes: 5 });
    expect(changes).toMatchObject({ bytes: 5, isFull: false, saved: [{ path: 'new.txt' }] });
    working.putBack(changes);
    const { saved, deleted } = await working.changes(final);
    expect({ saved, deleted }).toEqual({ saved: changes.saved, deleted: [{ path: 'old.txt', blob }] });
  });
});
