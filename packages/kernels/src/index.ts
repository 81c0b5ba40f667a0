export { fakeKernels } from './fake/provider.ts';
export { createGatewayProvider } from './gateway/provider.ts';
export { type LocalKernelOptions, localKernels } from './local/provider.ts';
export * from './port.ts';
export { createPyodideProvider } from './pyodide/provider.ts';
