import { statfsSync } from 'node:fs';
import { read } from './machine.ts';

/** Memory that is in no process's size, where no cgroup counts it. */
export interface UnownedMemory {
  /** As much as all its sockets can hold: what they do hold Linux does not tell. */
  socketBytes: number;
  /** In /dev/shm, mapped by a process or not. */
  sharedBytes: number;
}

/** Enough for a kernel and its libraries; so many are not counted. */
const usualSockets = 64;
/** Seen by any process of its sandbox: descriptors on their way from one to another count too. */
export function unownedMemory(pid: number, hasOwnNetwork: boolean): UnownedMemory {
  return { socketBytes: hasOwnNetwork ? socketBytes(pid) : 0, sharedBytes: sharedBytes(pid) };
}

function socketBytes(pid: number): number {
  const used = Number(/^sockets: used (\d+)/m.exec(read(`/proc/${pid}/net/sockstat`))?.[1] ?? 0);
  return Math.max(0, used - usualSockets) * bufferBytes();
}

let known: number | null = null;

/** Nobody in a sandbox can have them larger: the filter sees to that. */
function bufferBytes(): number {
  known ??= Number(read('/proc/sys/net/core/wmem_default')) || 212_992;
  return known;
}

function sharedBytes(pid: number): number {
  try {
    const { blocks, bfree, bsize } = statfsSync(`/proc/${pid}/root/dev/shm`);
    return (blocks - bfree) * bsize;
  } catch {
    return 0;
  }
}
