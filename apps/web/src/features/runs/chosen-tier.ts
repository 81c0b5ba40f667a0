import { type ComputeTier, computeTiers } from '@atoll/contract/plans';
import { readLocal, writeLocal } from '../../platform/storage.ts';

const tierKey = 'run_tier';

/** How large the kernel of a run is, as chosen last in this browser. */
export const chosenTier = (): ComputeTier | undefined => computeTiers.find((each) => each === readLocal(tierKey));
export const rememberTier = (tier: ComputeTier): void => void writeLocal(tierKey, tier);
