import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { ProcessTrees, treeOf } from './processes.ts';

/** A shell that starts a child for each line it is sent, and prints the child's number. */
function planted(): ChildProcess & { pid: number } {
  const shell = spawn('sh', ['-c', 'while read line; do sleep 60 & echo $!; done; kill $(jobs -p)']);
  onTestFinished(() => void shell.stdin.end());
  return Object.assign(shell, { pid: shell.pid ?? Number.NaN });
}

async function grow(shell: ChildProcess): Promise<number> {
  shell.stdin?.write('\n');
  const [said] = (await once(shell.stdout ?? shell, 'data')) as [Buffer];
  return Number(said.toString());
}

test.runIf(existsSync('/proc/stat'))('leaves out strangers when trees are read again', async () => {
  const [tree, other] = [planted(), planted()];
  const roots = [tree.pid];
  const trees = new ProcessTrees(() => roots);
  const read = () => trees.sample().map(({ pid }) => pid);
  const [child, stranger] = [await grow(tree), await grow(other)];
  expect(read()).toEqual(expect.arrayContaining([process.pid, tree.pid, child, other.pid, stranger]));

  const later = await grow(tree);
  const again = read();
  expect(again).toEqual(expect.arrayContaining([tree.pid, child, later]));
  for (const pid of [process.pid, other.pid, stranger]) expect(again).not.toContain(pid);

  // From now on a stranger is watched, with all its children.
  roots.push(other.pid);
  trees.forget();
  expect(treeOf(other.pid, trees.sample()).map(({ pid }) => pid)).toEqual([other.pid, stranger]);
  expect(treeOf(other.pid, trees.sample()).map(({ pid }) => pid)).toEqual([other.pid, stranger]);
});
