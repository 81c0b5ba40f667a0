import { lazyPart } from '../../platform/features/lazy-part.ts';

/** Compares two versions of a file side by side, also for other features. */
export const VersionsDialog = lazyPart(() => import('./versions/versions-dialog.tsx'), 'VersionsDialog');
