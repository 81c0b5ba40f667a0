import type { Side } from '../../../platform/features/panel-host.ts';

/** Panels that navigate in the document are on the left; the others show its state. */
const leftPanels = ['outline', 'variables', 'find'];

export const sideOfPanel = (id: string): Side => (leftPanels.includes(id) ? 'left' : 'right');
