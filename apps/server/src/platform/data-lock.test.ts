import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DataFolderInUse, lockDataFolder } from './data-lock.ts';

describe('the lock on a data folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lock-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('says which process holds it', () => {
    lockDataFolder(folder, new Date());
    expect(() => lockDataFolder(folder, new Date())).toThrow(DataFolderInUse);
    expect(() => lockDataFolder(folder, new Date())).toThrow(`in use by process ${process.pid}`);
  });

  test('is free again after release', () => {
    lockDataFolder(folder, new Date())();
    expect(() => lockDataFolder(folder, new Date())).not.toThrow();
  });

  test('is taken over from a process that is gone, and from one whose id was given to another', () => {
    const path = join(folder, 'server.lock');
    writeFileSync(path, JSON.stringify({ pid: 2 ** 22 + 1, began: '1', since: 'x' }));
    lockDataFolder(folder, new Date());
    writeFileSync(path, JSON.stringify({ pid: process.pid, began: 'another time', since: 'x' }));
    lockDataFolder(folder, new Date());
    expect(JSON.parse(readFileSync(path, 'utf8')).pid).toBe(process.pid);
  });

  test('a torn lock file does not keep the server away', () => {
    writeFileSync(join(folder, 'server.lock'), '{"pid":');
    expect(() => lockDataFolder(folder, new Date())).not.toThrow();
  });
});
