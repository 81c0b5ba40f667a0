export { type LocalKernelOptions, localKernels } from './local/provider.ts';
export * from './port.ts';
