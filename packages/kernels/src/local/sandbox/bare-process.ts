import { spawn } from 'node:child_process';
import type { HoldReason, SandboxProcess } from './sandbox-process.ts';

export interface BarePlan {
  command: string[];
  environment: Record<string, string>;
  folder: string;
}

const keptCharacters = 16 * 1024;

/** Starts a kernel without a sandbox, as Jupyter does: for a person alone on their own machine, who has requested it. */
export function startBare({ command: [program = '', ...parameters], environment, folder }: BarePlan): SandboxProcess {
  const child = spawn(program, parameters, {
    cwd: folder,
    env: environment,
    // A process group of its own, so that all of it is interrupted, held and ended together.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-keptCharacters);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-keptCharacters);
  });
  const exit: SandboxProcess['exit'] = new Promise((resolve) => {
    child.on('error', (error) => resolve({ exitCode: null, signal: null, lastWords: error.message }));
    child.on('exit', (exitCode, signal) => setImmediate(() => resolve({ exitCode, signal, lastWords: errors })));
  });
  const signalAll = (signal: NodeJS.Signals) => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  const reasons = new Set<HoldReason>();
  const { pid } = child;
  return {
    pid: pid === undefined ? exit.then(({ lastWords }) => Promise.reject(new Error(lastWords))) : Promise.resolve(pid),
    exit,
    output: exit.then(() => output),
    signal: async (name) => signalAll(name),
    hold(why, isHeld) {
      const wasHeld = reasons.size > 0;
      if (isHeld) reasons.add(why);
      else reasons.delete(why);
      if (reasons.size > 0 !== wasHeld) signalAll(wasHeld ? 'SIGCONT' : 'SIGSTOP');
    },
    isHeld: () => reasons.size > 0,
    kill: () => signalAll('SIGKILL'),
  };
}
