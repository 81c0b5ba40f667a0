import { topicName, topics } from '@atoll/contract';
import type { Database } from '../../../../platform/db/database.ts';
import { outsideTransaction } from '../../../../platform/db/transaction-scope.ts';
import { positionsOf } from '../../../../platform/realtime/stream.ts';
import type { KernelSessionRow } from '../../table.ts';
import type { LiveSession } from '../live-session.ts';
import type { ProjectMirror } from './project-mirror.ts';

/** A kernel with its folder. */
export interface Kept {
  live: LiveSession;
  mirror: ProjectMirror | null;
  /** The position up to which the project's changes are in its folder. */
  position: number;
  /** The update in progress. */
  pulling: Promise<void>;
}

const filesTopic = ({ projectId }: KernelSessionRow) => topicName(topics.projectFiles, { projectId: projectId ?? '' });

/** Copies changes of their projects into these folders. */
export async function refreshFolders(db: Database, wanted: Kept[]): Promise<void> {
  if (wanted.length === 0) return;
  const positions = await positionsOf(db, [...new Set(wanted.map(({ live }) => filesTopic(live.row)))]);
  for (const kept of wanted) {
    const { position: before, live, mirror } = kept;
    const position = positions.get(filesTopic(live.row)) ?? 0;
    if (position <= before) continue;
    kept.position = position;
    // Other callers wait for it too, so it is not part of the first caller's transaction.
    const pull = () =>
      outsideTransaction(async () => {
        if (await mirror?.pull()) await live.host.handOver(live.row.id);
      });
    kept.pulling = kept.pulling
      .catch(() => {})
      .then(pull)
      .catch((error: unknown) => {
        // The next call tries it again.
        kept.position = before;
        throw error;
      });
    kept.pulling.catch(() => {});
  }
  // Also wait for updates that other callers have begun.
  await Promise.all(wanted.map(({ pulling }) => pulling));
}
