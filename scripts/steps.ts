import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Small pieces that the scripts share: saying what happens, and running a program until it ends. */

export const root = `${import.meta.dirname}/..`;
/** Compiles what Pyodide starts with, unless that was done. */
export const pyodideLibrary = 'packages/kernels/src/pyodide/library.ts';

export function say(line: string): void {
  console.log(line);
}

/** Runs a program and answers its exit status. Its output is shown, or given away line by line. */
export function run(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
  onLine?: (line: string) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: onLine ? ['inherit', 'pipe', 'pipe'] : 'inherit',
      env: { ...process.env, ...env },
    });
    for (const output of [child.stdout, child.stderr])
      if (output && onLine) createInterface({ input: output }).on('line', onLine);
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

export interface Step {
  name: string;
  isGood: boolean;
  seconds: number;
  /** Of a step whose output is shown only when it failed. */
  output?: string;
}

/** A step of a longer command, named before it starts and timed when it ends. */
export async function step(name: string, work: () => Promise<number>): Promise<Step> {
  const start = performance.now();
  say(`\n▸ ${name}`);
  const status = await work().catch((error: unknown) => {
    console.error(error);
    return 1;
  });
  const seconds = (performance.now() - start) / 1000;
  say(status === 0 ? `✓ ${name} (${seconds.toFixed(1)} s)` : `✗ ${name} failed (${seconds.toFixed(1)} s)`);
  return { name, isGood: status === 0, seconds };
}

/** Each begins when the one before it has ended, however that ended. */
export async function inTurn(steps: (() => Promise<Step>)[]): Promise<Step[]> {
  const done: Step[] = [];
  for (const each of steps) done.push(await each());
  return done;
}
