import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { existingPython, type Python } from '@atoll/kernels/client';
import { launchPython } from '@atoll/trading/backtest/python/launch';
import { appState } from '../../../platform/app-state.ts';
import { confined } from '../../../platform/confinement.ts';
import type { Context } from '../../../platform/context.ts';

/** Why strategies in Python cannot run here, and what can be done. */
export class NoPython extends Error {}

const known = appState((): { python: Promise<Python | null> | null } => ({ python: null }));

/** Looked for once; again where there was none, for one may be installed meanwhile. */
async function pythonOf(ctx: Context): Promise<Python> {
  const state = known(ctx);
  const { dataFolder, kernels } = ctx.config;
  state.python ??= existingPython({ dataFolder, configured: kernels.python, path: process.env.PATH });
  const python = await state.python;
  if (python) return python;
  state.python = null;
  throw new NoPython(
    'This server has no Python for strategies. Install Python 3.9 or newer on it or set ATOLL_PYTHON, or write the strategy in TypeScript.',
  );
}

/**
 * A Python for one task, which sees no file but its libraries and the folder with the two pipes to the worker, and has no
 * network. What keeps strategies in TypeScript from the machine is within the language; here it is only the sandbox.
 */
export async function startPython(
  ctx: Context,
  options: { folder: string; memoryMb: number; isConfined: boolean },
): Promise<{ folder: string; end(): void }> {
  const { memoryMb, isConfined } = options;
  if (!isConfined && !ctx.config.kernels.isUnsandboxed) {
    throw new NoPython(
      'Strategies in Python need a sandbox, which this server cannot make. Install bubblewrap on it (Debian: apt install bubblewrap), or write the strategy in TypeScript.',
    );
  }
  const { executable, prefix: home, basePrefix } = await pythonOf(ctx);
  const folder = await mkdtemp(join(options.folder, 'python-'));
  const prefix = isConfined ? confined({ readable: [home, basePrefix], writable: folder }) : [];
  const child = await launchPython(executable, { folder, memoryMb, prefix }).catch((error: unknown) => {
    ctx.log.error({ err: error }, 'Python for a strategy');
    throw new NoPython("This server's Python could not be started. An admin finds the reason in the server's log.");
  });
  return { folder, end: () => void child.kill('SIGKILL') };
}
