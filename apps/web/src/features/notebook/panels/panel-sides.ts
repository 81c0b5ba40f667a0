import type { Side } from '../../../platform/features/panel-host.ts';

/** What leads to a place in the document; the rest is about what is there. */
const leftPanels = ['outline', 'variables', 'find'];

export const sideOfPanel = (id: string): Side => (leftPanels.includes(id) ? 'left' : 'right');
