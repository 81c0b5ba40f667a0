import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

interface Holder {
  pid: number;
  /** When that process began, so that a reused process id is not mistaken for it. */
  began: string;
  since: string;
}

export class DataFolderInUse extends StartError {}

/** Makes this process the only server on a data folder; two on one embedded database would destroy it. */
export function lockDataFolder(folder: string, now: Date): () => void {
  const path = join(folder, 'server.lock');
  const mine: Holder = { pid: process.pid, began: processStart(process.pid), since: now.toISOString() };
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      // Linking a finished file succeeds or fails in one step, so no process reads half of it.
      linkSync(draft, path);
      rmSync(draft, { force: true });
      return () => release(path, mine);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = readHolder(path);
      if (holder && isAlive(holder)) {
        rmSync(draft, { force: true });
        throw new DataFolderInUse(
          `The data folder ${folder} is in use by process ${holder.pid}, running since ${holder.since}. Stop it first, or set ATOLL_DATA to another folder.`,
        );
      }
      rmSync(path, { force: true });
    }
  }
  throw new DataFolderInUse(`The data folder ${folder} could not be locked: another server is starting on it.`);
}

function release(path: string, mine: Holder): void {
  const holder = readHolder(path);
  if (holder?.pid === mine.pid && holder.began === mine.began) rmSync(path, { force: true });
}

/** The process of the server that runs on a data folder; null when none does. */
export function serverOn(folder: string): number | null {
  const holder = readHolder(join(folder, 'server.lock'));
  return holder && isAlive(holder) ? holder.pid : null;
}

function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM means that the process lives but belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return processStart(holder.pid) === holder.began;
}

/** The kernel's start time of a process; empty where there is no /proc, so that only the process id decides. */
function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
