export { fakeKernels } from './fake/provider.ts';
export { type LocalKernelOptions, localKernels } from './local/provider.ts';
export * from './port.ts';
