import { topics } from '@atoll/contract';
import { eq, inArray } from 'drizzle-orm';
import type { EventHandlers } from '../../platform/events/relay.ts';
import type { Broadcasts } from '../../platform/feature.ts';
import { message } from '../../platform/realtime/stream.ts';
import { files } from '../files/table.ts';
import { autorun } from './service/queue/autorun.ts';
import { notebooks } from './table.ts';

/** A notebook whose file was replaced from outside is loaded again by the people who have it open. */
export const notebookBroadcasts: Broadcasts = {
  async 'files.changed'(tx, { project_id: projectId, file_ids: fileIds, change }) {
    if (change !== 'saved' || fileIds.length === 0) return [];
    const rows = await tx
      .select({ fileId: files.id, version: files.version, base: notebooks.baseVersion })
      .from(notebooks)
      .innerJoin(files, eq(files.id, notebooks.fileId))
      .where(inArray(notebooks.fileId, fileIds.slice(0, 1_000)));
    return rows
      .filter(({ version, base }) => base !== null && base !== version)
      .map(({ fileId }) => message(topics.notebook, { projectId, fileId }, 'document_replaced', {}));
  },
};

export const notebookEvents: EventHandlers = {
  async 'files.changed'(ctx, { project_id, file_ids, change, origin }, { actorId }) {
    // Ignore files written by code, because its own writes would run the notebook again without end.
    if (origin !== undefined || change === 'moved' || !actorId) return;
    await autorun(ctx, { projectId: project_id, fileIds: file_ids, userId: actorId });
  },
};
