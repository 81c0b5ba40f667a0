import { statfsSync } from 'node:fs';
import { read } from './machine.ts';

/** Memory that belongs to no process's size and is counted by no cgroup. */
export interface UnownedMemory {
  /** The capacity of all its sockets, because Linux does not report their content. */
  socketBytes: number;
  /** Memory in /dev/shm, mapped by a process or not. */
  sharedBytes: number;
}

/** Enough for a kernel and its libraries; this many are not counted. */
const usualSockets = 64;
/** Visible to any process of its sandbox, so descriptors in transit between processes count too. */
export function unownedMemory(pid: number, hasOwnNetwork: boolean): UnownedMemory {
  return { socketBytes: hasOwnNetwork ? socketBytes(pid) : 0, sharedBytes: sharedBytes(pid) };
}

function socketBytes(pid: number): number {
  const used = Number(/^sockets: used (\d+)/m.exec(read(`/proc/${pid}/net/sockstat`))?.[1] ?? 0);
  return Math.max(0, used - usualSockets) * bufferBytes();
}

let known: number | null = null;

/** Code in a sandbox cannot enlarge them, because the filter refuses it. */
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
