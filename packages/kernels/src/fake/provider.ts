import { type KernelProvider, type KernelSpec, KernelStartError } from '../port.ts';
import { failedToStart } from '../results.ts';
import { FakeKernel } from './kernel.ts';

const spec: KernelSpec = { name: 'fake', displayName: 'Fake', language: 'python', interruptMode: 'message' };

/** For test suites: `kernels` are the started ones. */
export function fakeKernels(): KernelProvider & { kernels: FakeKernel[] } {
  const kernels: FakeKernel[] = [];
  return {
    name: 'fake',
    kernels,
    specs: async () => [spec],
    status: async () => ({ isAvailable: true, detail: 'runs nothing' }),
    async start(options) {
      if (options.spec !== spec.name) {
        throw new KernelStartError(failedToStart(`there is no kernel ${options.spec}`));
      }
      const kernel = new FakeKernel(spec, options.environment);
      kernels.push(kernel);
      return kernel;
    },
    async close() {
      await Promise.all(kernels.map((kernel) => kernel.stop()));
    },
  };
}
