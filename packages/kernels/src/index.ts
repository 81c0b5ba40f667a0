export { fakeKernels } from './fake/provider.ts';
export { createGatewayProvider } from './gateway/provider.ts';
export { kernelUser, type LocalKernelOptions, localKernels } from './local/provider.ts';
export * from './port.ts';
export { createPyodideProvider } from './pyodide/provider.ts';
export {
  type PythonForEverybody,
  type PythonOptions,
  type PythonProgress,
  pythonForEverybody,
} from './python/everybody.ts';
