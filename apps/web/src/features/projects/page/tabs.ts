import { useEffect, useState } from 'react';
import { readForVisit, writeForVisit } from '../../../platform/storage.ts';

const keyOf = (projectId: string) => `open_files:${projectId}`;

function readTabs(projectId: string): string[] {
  try {
    const kept: unknown = JSON.parse(readForVisit(keyOf(projectId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/** The open files of a project, in the order they were opened; the shown one is always among them. */
export function useTabs(projectId: string, shown: string | undefined) {
  const [tabs, setTabs] = useState(() => readTabs(projectId));
  useEffect(() => {
    if (shown) setTabs((current) => (current.includes(shown) ? current : [...current, shown]));
  }, [shown]);
  useEffect(() => writeForVisit(keyOf(projectId), JSON.stringify(tabs)), [projectId, tabs]);
  return { tabs, close: (id: string) => setTabs((current) => current.filter((each) => each !== id)) };
}
