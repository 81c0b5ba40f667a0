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
  /** Up to where the project's changes are in its folder. */
  position: number;
  /** What is under way of that. */
  pulling: Promise<void>;
}

const filesTopic = ({ projectId }: KernelSessionRow) => topicName(topics.projectFiles, { projectId: projectId ?? '' });

/** What has changed in their projects reaches these folders. */
export async function refreshFolders(db: Database, wanted: Kept[]): Promise<void> {
  if (wanted.length === 0) return;
  const positions = await positionsOf(db, [...new Set(wanted.map(({ live }) => filesTopic(live.row)))]);
  for (const kept of wanted) {
    const { position: before, live, mirror } = kept;
    const position = positions.get(filesTopic(live.row)) ?? 0;
    if (position <= before) continue;
    kept.position = position;
    // Others wait for it too: it is no part of the transaction of who asks first.
    const pull = () =>
      outsideTransaction(async () => {
        if (await mirror?.pull()) await live.host.handOver(live.row.id);
      });
    kept.pulling = kept.pulling
      .catch(() => {})
      .then(pull)
      .catch((error: unknown) => {
        // It is tried again with the next.
        kept.position = before;
        throw error;
      });
    kept.pulling.catch(() => {});
  }
  // Also what somebody else has begun.
  await Promise.all(wanted.map(({ pulling }) => pulling));
}
