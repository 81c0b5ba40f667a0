import type { KernelEnd, KernelLimits } from '../port.ts';
import { failedToStart, restarted, sizeText, stopped } from '../results.ts';
import type { Excess } from './limits/watchdog.ts';
import type { SandboxExit } from './sandbox/sandbox-process.ts';

/** The reason why we ended it, if we did. */
export type Verdict = 'stopped' | 'restarted' | 'connection' | Excess;

const reasons: Record<Verdict, KernelEnd['reason']> = {
  stopped: 'stopped',
  restarted: 'restarted',
  memory: 'memory',
  machineMemory: 'memory',
  processes: 'processes',
  disk: 'disk',
  machineDisk: 'disk',
  lost: 'lost',
  connection: 'crashed',
};

function verdictMessage(verdict: Verdict, limits: KernelLimits): string {
  switch (verdict) {
    case 'stopped':
      return stopped.message;
    case 'restarted':
      return restarted.message;
    case 'memory':
      return `The kernel needed more than its ${sizeText(limits.memoryBytes)} of memory and was ended.`;
    case 'processes':
      return `The kernel reached its limit of ${limits.processes} processes and threads and was ended.`;
    case 'disk':
      return `The kernel wrote more than its ${sizeText(limits.folderBytes)} of files and was ended.`;
    case 'machineMemory':
      return 'The machine ran low on memory. This kernel used the most and was ended.';
    case 'machineDisk':
      return 'The machine ran low on disk space. This kernel used the most and was ended.';
    case 'connection':
      return 'The kernel broke its connection and was ended.';
    case 'lost':
      return 'The kernel stood still, did not answer any more and was ended.';
  }
}

export function endOf(exit: SandboxExit, verdict: Verdict | null, limits: KernelLimits): KernelEnd {
  const { exitCode, signal } = exit;
  if (verdict) return { reason: reasons[verdict], message: verdictMessage(verdict, limits), exitCode, signal };
  if (signal) return { reason: 'crashed', message: `The kernel crashed (${signal}).`, exitCode, signal };
  return { reason: 'exited', message: `The kernel ended itself with code ${exitCode}.`, exitCode, signal };
}

/** Uses the process's last output, which says more than our own reason. */
export function failedLife(why: string, { exitCode, signal, lastWords }: SandboxExit): KernelEnd {
  return { ...failedToStart(lastWords.trim().split('\n').at(-1) || why), exitCode, signal };
}
