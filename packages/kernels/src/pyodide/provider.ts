import { type KernelProvider, type KernelSpec, KernelStartError } from '../port.ts';
import { failedToStart } from '../results.ts';
import { PyodideKernel } from './kernel.ts';

export const PYODIDE_SPEC: KernelSpec = {
  name: 'pyodide',
  displayName: 'Python (built in)',
  language: 'python',
  interruptMode: 'message',
};

/** Python in WebAssembly in a process without any rights: the kernel for machines without a sandbox. */
export function createPyodideProvider(): KernelProvider {
  const kernels = new Set<PyodideKernel>();
  return {
    name: 'pyodide',
    specs: async () => [PYODIDE_SPEC],
    status: async () => ({
      isAvailable: true,
      detail: 'Python as WebAssembly, in processes without network, files or further processes',
    }),
    async start(options) {
      if (options.spec !== PYODIDE_SPEC.name) {
        throw new KernelStartError(failedToStart(`there is no kernel ${options.spec}`));
      }
      const kernel = new PyodideKernel(PYODIDE_SPEC, options);
      kernels.add(kernel);
      void kernel.ended.then(() => kernels.delete(kernel));
      await kernel.start();
      return kernel;
    },
    async close() {
      await Promise.all([...kernels].map((kernel) => kernel.stop()));
    },
  };
}
