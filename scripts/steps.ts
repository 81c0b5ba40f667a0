import { spawn } from 'node:child_process';

/** Small pieces that the scripts share: saying what happens, and running a program until it ends. */

export const root = `${import.meta.dirname}/..`;

export function say(line: string): void {
  console.log(line);
}

/** Runs a program with its output shown and answers its exit status. */
export function run(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** A step of a longer command, named before it starts and timed when it ends. */
export async function step(name: string, work: () => Promise<number>): Promise<boolean> {
  const start = performance.now();
  say(`\n▸ ${name}`);
  const status = await work().catch((error: unknown) => {
    console.error(error);
    return 1;
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  say(status === 0 ? `✓ ${name} (${seconds} s)` : `✗ ${name} failed (${seconds} s)`);
  return status === 0;
}
