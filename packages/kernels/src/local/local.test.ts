import { expect, test } from 'vitest';
import { kernelConformance, subshellConformance } from '../conformance.ts';
import { askPython } from '../python/find.ts';
import { installKernelPackages } from '../test-packages.ts';
import { testPython } from '../test-python.ts';
import { localKernels } from './provider.ts';

await installKernelPackages();
const { isAvailable, detail } = await localKernels().status();

if (isAvailable) {
  kernelConformance('local', { spec: 'python3', open: async () => localKernels() });
  // Debian's ipykernel has no subshells yet; the one made for the tests has.
  const python = await askPython(testPython);
  const open = async () => localKernels({ python: () => python });
  subshellConformance('local', { spec: 'python3', open });
} else {
  // A machine that forbids namespaces cannot hold users' code, and must say so rather than run it.
  test(`without a proven sandbox nothing is offered: ${detail}`, async () => {
    expect(await localKernels().specs()).toEqual([]);
    expect(detail).not.toBe('');
  });
}
