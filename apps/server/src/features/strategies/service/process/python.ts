import { existingPython, type Python } from '@atoll/kernels/client';
import { appState } from '../../../../platform/app-state.ts';
import type { Context } from '../../../../platform/context.ts';

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

/** The Python that strategies run in, and what it has to be able to read. */
export async function strategyPython(
  ctx: Context,
  isConfined: boolean,
): Promise<{ executable: string; readable: string[] }> {
  // In Python the sandbox is all that keeps people's code from the machine.
  if (!isConfined && !ctx.config.kernels.isUnsandboxed) {
    throw new NoPython(
      'Strategies in Python need a sandbox, which this server cannot make. Install bubblewrap on it (Debian: apt install bubblewrap), or write the strategy in TypeScript.',
    );
  }
  const { executable, prefix, basePrefix } = await pythonOf(ctx);
  return { executable, readable: [prefix, basePrefix] };
}
