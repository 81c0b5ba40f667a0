import { expect, test } from 'vitest';
import { kernelConformance } from '../conformance.ts';
import { installKernelPackages } from '../test-packages.ts';
import { localKernels } from './provider.ts';

await installKernelPackages();
const { isAvailable, detail } = await localKernels().status();

if (isAvailable) {
  kernelConformance('local', { spec: 'python3', open: async () => localKernels(), timeout: 300_000 });
} else {
  // A machine that forbids namespaces cannot hold users' code, and must say so rather than run it.
  test(`without a proven sandbox nothing is offered: ${detail}`, async () => {
    expect(await localKernels().specs()).toEqual([]);
    expect(detail).not.toBe('');
  });
}
