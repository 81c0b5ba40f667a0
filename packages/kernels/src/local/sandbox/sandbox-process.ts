import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { SandboxUser } from '../../kernel-user.ts';
import type { Cgroup } from '../limits/cgroup.ts';
import { giveWay } from '../limits/giving-way.ts';
import { sampleProcesses, treeOf } from '../limits/processes.ts';
import { limitedCommand, type SandboxPlan, sandboxArguments } from './sandbox.ts';
import { seccompFilter } from './seccomp.ts';

export interface SandboxExit {
  exitCode: number | null;
  signal: string | null;
  /** The end of its standard error. */
  lastWords: string;
}

export interface SandboxProcess {
  /** The host's number of the first process inside; the sandbox lives as long as it. */
  readonly pid: Promise<number>;
  readonly exit: Promise<SandboxExit>;
  readonly output: Promise<string>;
  /** Signals the kernel and the processes that it has started and waits for. */
  signal(name: NodeJS.Signals): Promise<void>;
  /** Suspends all of it as long as there is a reason to. */
  hold(why: HoldReason, isHeld: boolean): void;
  isHeld(): boolean;
  kill(): void;
}

/** It sends more than we can read or store, or has used more than its share of the processors. */
export type HoldReason = 'output' | 'unstored' | 'cpu';

const keptBytes = 16 * 1024;

export function startSandbox(plan: SandboxPlan, user: SandboxUser, cgroup: Cgroup | null = null): SandboxProcess {
  // Before any process starts, because a refused plan must leave nothing behind.
  const planned = `${sandboxArguments(plan).join('\0')}\0`;
  const filter = seccompFilter();
  // Options go through a file descriptor: everyone can read command lines, the first process's even from inside.
  const descriptors = ['--args', '3', '--json-status-fd', '4', ...(filter ? ['--seccomp', '5'] : [])];
  const child = spawn('bwrap', [...descriptors, '--', ...limitedCommand(plan)], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    cwd: '/',
    ...user,
  });
  const [, out, err, options, status, seccomp] = child.stdio as unknown as [
    null,
    Readable,
    Readable,
    Writable,
    Readable,
    Writable,
  ];
  for (const stream of [options, seccomp]) stream.on('error', () => {});
  // It waits for its options, so all of this happens before it can create another process.
  if (child.pid !== undefined) {
    const waiting = child.pid;
    attemptOrKill(child, () => cgroup?.add(waiting));
    giveWay(waiting);
  }
  options.end(planned);
  seccomp.end(filter);

  const output = tailOf(out);
  const errors = tailOf(err);
  const pid = new Promise<number>((resolve, reject) => {
    let text = '';
    status.setEncoding('utf8').on('data', (part) => {
      text += part;
      const match = /"child-pid": (\d+)/.exec(text);
      if (match) resolve(Number(match[1]));
    });
    status.on('close', () => reject(new Error('The sandbox did not start')));
    child.on('error', reject);
  });
  pid.catch(() => {});
  const exit = new Promise<SandboxExit>((resolve) => {
    child.on('error', (error) => resolve({ exitCode: null, signal: null, lastWords: error.message }));
    // Not `close`: processes it left behind may hold its pipes for a moment.
    child.on('exit', (code, signal) => {
      const died = code !== null && code > 128 ? signalName(code - 128) : null;
      const last = { exitCode: died ? null : code, signal: signal ?? died };
      setImmediate(() => resolve({ ...last, lastWords: errors.text() }));
    });
  });

  const reasons = new Set<HoldReason>();
  const kill = () => {
    cgroup?.kill();
    // A sandbox that is still being set up does not yet die with its parent.
    const tree = child.pid === undefined ? [] : treeOf(child.pid, sampleProcesses());
    child.kill('SIGKILL');
    for (const one of tree) attempt(() => process.kill(one.pid, 'SIGKILL'));
    // Its first process may already have ended with it.
    pid.then((first) => attempt(() => process.kill(first, 'SIGKILL'))).catch(() => {});
  };
  return {
    pid,
    exit,
    output: exit.then(() => output.text()),
    kill,
    isHeld: () => reasons.size > 0,
    hold(why, isHeld) {
      const wasHeld = reasons.size > 0;
      if (isHeld) reasons.add(why);
      else reasons.delete(why);
      if (reasons.size > 0 === wasHeld) return;
      pid.then((first) => signalAll(first, wasHeld ? 'SIGCONT' : 'SIGSTOP')).catch(() => {});
    },
    async signal(name) {
      const first = await pid;
      // Signals the group of the first process, which itself ignores signals without a handler.
      attempt(() => process.kill(-first, name));
    },
  };
}

/** Stops twice, because a process may have created another one in between. */
function signalAll(first: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (let round = signal === 'SIGSTOP' ? 0 : 1; round < 2; round++) {
    for (const { pid } of treeOf(first, sampleProcesses())) attempt(() => process.kill(pid, signal));
  }
}

function attemptOrKill(child: ChildProcess, action: () => void): void {
  try {
    action();
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

const attempt = (action: () => void) => {
  try {
    action();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

const signalName = (number: number) =>
  Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? null;

function tailOf(stream: Readable): { text: () => string } {
  let kept = Buffer.alloc(0);
  stream.on('data', (part: Buffer) => {
    kept = Buffer.concat([kept, part]).subarray(-keptBytes);
  });
  stream.on('error', () => {});
  return { text: () => kept.toString() };
}
