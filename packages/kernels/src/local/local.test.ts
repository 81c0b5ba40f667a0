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
  // Debian's ipykernel has no subshells yet; the one installed for the tests does.
  const python = await askPython(testPython);
  const open = async () => localKernels({ python: () => python });
  subshellConformance('local', { spec: 'python3', open });
} else {
  // A machine that forbids namespaces cannot confine users' code, and must report that rather than run it.
  test(`offers no kernel without a proven sandbox: ${detail}`, async () => {
    expect(await localKernels().specs()).toEqual([]);
    expect(detail).not.toBe('');
  });
}
