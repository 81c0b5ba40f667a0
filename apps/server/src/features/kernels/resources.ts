import { availableParallelism } from 'node:os';
import { type ComputeTier, tierResources } from '@atoll/contract';
import type { KernelLimits } from '@atoll/kernels/client';

/** What is written to the working folder and the temporary folder together, in every tier. */
export const diskBytes = 5 * 1024 ** 3;

/**
 * Libraries start a thread for each core, several of them in each worker. More than that is of no use, and each process of
 * a fork bomb costs everybody milliseconds: Linux copies and frees its memory's tables without letting others in.
 */
const processes = 64 + 16 * availableParallelism();

export const limitsOf = (tier: ComputeTier): KernelLimits => ({
  memoryBytes: tierResources[tier].memoryBytes,
  cpu: tierResources[tier].cores,
  processes,
  fileBytes: 2 * 1024 ** 3,
  folderBytes: diskBytes,
});
