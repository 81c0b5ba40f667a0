import { availableParallelism } from 'node:os';
import { type ComputeTier, tierResources } from '@atoll/contract';
import type { KernelLimits } from '@atoll/kernels/client';

/** The limit of data in the working folder and the temporary folder together, in every tier. */
export const diskBytes = 5 * 1024 ** 3;

/**
 * Libraries start a thread for each core, several of them in each worker. A higher limit has no use, and each process of a
 * fork bomb delays everyone by milliseconds: Linux copies and frees its page tables without a break.
 */
const processes = 64 + 16 * availableParallelism();

export const limitsOf = (tier: ComputeTier): KernelLimits => ({
  memoryBytes: tierResources[tier].memoryBytes,
  cpu: tierResources[tier].cores,
  processes,
  fileBytes: 2 * 1024 ** 3,
  folderBytes: diskBytes,
});
