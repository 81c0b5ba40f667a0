import { useEffect, useState, useSyncExternalStore } from 'react';
import { useSession } from '../session/queries.ts';
import { FileLock, type Holdable, type LockView } from './file-lock.ts';

/** A lock outlives the pane of its file: it lasts until the file's tab or the project is left. */
const locks = new Map<string, FileLock>();

interface Locked {
  id: string;
  project_id: string;
}

const none: LockView = { other: null, wasTaken: false, isMine: false };
const nothing = () => () => {};

/** The lock of a file and its holder; null for people who only read. */
export function useFileLock(file: Locked, document: Holdable, canEdit: boolean): [FileLock | null, LockView] {
  const me = useSession().id;
  const [lock, setLock] = useState<FileLock | null>(null);
  const { id, project_id } = file;
  useEffect(() => {
    if (!canEdit) return setLock(null);
    const key = `${project_id}/${id}`;
    const own = locks.get(key) ?? new FileLock({ projectId: project_id, fileId: id }, me, document);
    locks.set(key, own);
    setLock(own);
  }, [id, project_id, me, document, canEdit]);
  return [lock, useSyncExternalStore(lock?.subscribe ?? nothing, lock?.getView ?? (() => none))];
}

/** Releases the locks of a file, or of the whole project, when it is closed. */
export function closeLocks(projectId: string, fileId = ''): void {
  for (const [key, lock] of locks) {
    if (!key.startsWith(`${projectId}/${fileId}`)) continue;
    locks.delete(key);
    void lock.close();
  }
}
