import type { CellPart } from '../../../platform/features/web-feature.ts';
import { useEnabledParts } from '../../session/enabled-features.ts';

/** Cell parts of other features that are enabled for this person. */
export const useCellParts = (): CellPart[] => useEnabledParts().flatMap(({ loaded }) => loaded.cellParts ?? []);
