import { lazyPart } from '../../platform/features/lazy-part.ts';

/** Two versions of a file beside each other, also for other features. */
export const VersionsDialog = lazyPart(() => import('./versions/versions-dialog.tsx'), 'VersionsDialog');
