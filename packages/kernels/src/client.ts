/**
 * Exports for a server that uses kernels. The providers are not among them, because their libraries take a second to load.
 */
export { executionOf } from './execution.ts';
export { type HostConnection, HostLost } from './host/client.ts';
export { findHost, isHostGone, startHost } from './host/launch.ts';
export type { HostProcessOptions } from './host/options.ts';
export * from './host/types.ts';
export type { CommMessage, ExecuteResult, KernelEnd, KernelLimits, KernelMessage } from './port.ts';
export { existingPython } from './python/existing.ts';
export type { Python } from './python/find.ts';
