import { requestId } from '@atoll/channels/client';
import { readForVisit, writeForVisit } from '../../platform/storage.ts';

let tag: string | null = null;

/** The id of this window. A reloaded window keeps it; a duplicated one has a copy of the storage and gets another. */
export function windowTag(): string {
  if (tag) return tag;
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const before = navigation?.type === 'reload' ? readForVisit('window_tag') : null;
  tag = before ?? requestId();
  writeForVisit('window_tag', tag);
  return tag;
}
