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

  test('names the process that holds it', () => {
    lockDataFolder(folder, new Date());
    expect(() => lockDataFolder(folder, new Date())).toThrow(DataFolderInUse);
    expect(() => lockDataFolder(folder, new Date())).toThrow(`in use by process ${process.pid}`);
  });

  test('is free again after release', () => {
    lockDataFolder(folder, new Date())();
    expect(() => lockDataFolder(folder, new Date())).not.toThrow();
  });

  test('is taken over from a dead process, and from one whose id was reused', () => {
    const path = join(folder, 'server.lock');
    writeFileSync(path, JSON.stringify({ pid: 2 ** 22 + 1, began: '1', since: 'x' }));
    lockDataFolder(folder, new Date());
    writeFileSync(path, JSON.stringify({ pid: process.pid, began: 'another time', since: 'x' }));
    lockDataFolder(folder, new Date());
    expect(JSON.parse(readFileSync(path, 'utf8')).pid).toBe(process.pid);
  });

  test('ignores a torn lock file', () => {
    writeFileSync(join(folder, 'server.lock'), '{"pid":');
    expect(() => lockDataFolder(folder, new Date())).not.toThrow();
  });
});
