import { kernelConformance } from '../conformance.ts';
import { installKernelPackages } from '../test-packages.ts';
import { localKernels } from './provider.ts';

kernelConformance('local', {
  spec: 'python3',
  open: async () => {
    await installKernelPackages();
    return localKernels();
  },
  timeout: 300_000,
});
