export { fakeKernels } from './fake/provider.ts';
export { createGatewayProvider } from './gateway/provider.ts';
export { type HostConnection, HostLost } from './host/client.ts';
export { createHost, type Host } from './host/host.ts';
export { findHost, startHost } from './host/launch.ts';
export type { HostProcessOptions } from './host/options.ts';
export * from './host/types.ts';
export { kernelUser } from './kernel-user.ts';
export { type LocalKernelOptions, localKernels } from './local/provider.ts';
export * from './port.ts';
export { createPyodideProvider } from './pyodide/provider.ts';
export {
  type PythonForEverybody,
  type PythonOptions,
  type PythonProgress,
  pythonForEverybody,
} from './python/everybody.ts';
export { packagesForEverybody } from './python/packages.ts';
