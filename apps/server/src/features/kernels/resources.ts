import { type ComputeTier, tierResources } from '@atoll/contract';
import type { KernelLimits } from '@atoll/kernels/client';

/** What is written to the working folder and the temporary folder together, in every tier. */
export const diskBytes = 5 * 1024 ** 3;

export const limitsOf = (tier: ComputeTier): KernelLimits => ({
  memoryBytes: tierResources[tier].memoryBytes,
  cpu: tierResources[tier].cores,
  processes: 200,
  fileBytes: 2 * 1024 ** 3,
  folderBytes: diskBytes,
});
