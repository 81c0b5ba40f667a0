import type { HostStatus } from '@atoll/kernels/client';
import { expect, test } from 'vitest';
import { announceKernels } from './announce.ts';
import { isolationOf } from './isolation.ts';
import type { IdentifiedHost } from './kernels.ts';

const local = { name: 'local' as const, isAvailable: true, detail: 'bubblewrap 0.8', isSandboxed: true };
const pyodide = { name: 'pyodide' as const, isAvailable: true, detail: '' };
const ready = { state: 'ready' as const, progress: 1, message: 'Python 3.13.1 is ready.' };

async function said(...statuses: Pick<HostStatus, 'providers' | 'python'>[]): Promise<string[]> {
  const lines: string[] = [];
  const status = async () => (statuses.length > 1 ? statuses.shift() : statuses[0]);
  const host = { status } as unknown as IdentifiedHost;
  await announceKernels({ host: async () => host }, (line) => lines.push(line), 1);
  return lines;
}

test('the terminal shows the progress of Python, each step once, and then where code runs', async () => {
  const step = { state: 'preparing' as const, progress: 0.25, message: "Installing Python's package pandas" };
  const preparing = { providers: [local, pyodide], python: step };
  expect(await said(preparing, preparing, { providers: [local, pyodide], python: ready })).toEqual([
    "Preparing Python, 25 %: Installing Python's package pandas",
    'Python 3.13.1 is ready. Code runs in a sandbox: bubblewrap 0.8.',
  ]);
});

test('the terminal shows the replacement for a missing sandbox, and how to get one', async () => {
  const without = { ...local, isAvailable: false, detail: 'bubblewrap is not installed' };
  const python = { state: 'absent' as const, progress: null, message: null };
  const [line, ...more] = await said({ providers: [without, pyodide], python });
  expect(more).toEqual([]);
  expect(line).toMatch(
    /Python runs in WebAssembly here, because bubblewrap is not installed\..*ATOLL_UNSANDBOXED_KERNELS/,
  );
  const open = { ...local, isSandboxed: false };
  expect(await said({ providers: [open, pyodide], python: ready })).toEqual([
    'Python 3.13.1 is ready. Code runs without a sandbox.',
  ]);
  expect(isolationOf('local', [open])).toBe('none');
  expect(isolationOf('pyodide', [open, pyodide])).toBe('webassembly');
});
