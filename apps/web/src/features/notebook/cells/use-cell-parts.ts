import type { CellPart } from '../../../platform/features/web-feature.ts';
import { useEnabledParts } from '../../session/enabled-features.ts';

/** What other features can show in a cell, for this person. */
export const useCellParts = (): CellPart[] => useEnabledParts().flatMap(({ loaded }) => loaded.cellParts ?? []);
