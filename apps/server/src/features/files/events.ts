import { topics } from '@atoll/contract';
import { eq, inArray } from 'drizzle-orm';
import type { Broadcasts } from '../../platform/feature.ts';
import { message } from '../../platform/realtime/stream.ts';
import { loadPeopleOf } from '../projects/service/relations.ts';
import { directories, files } from './table.ts';
import { directoryView, fileView } from './view.ts';

/** Above this a client loads the tree again rather than being told each of them. */
const maxTold = 200;

export const fileBroadcasts: Broadcasts = {
  async 'files.changed'(tx, { project_id: projectId, file_ids: fileIds, change }) {
    const folders = await tx
      .select()
      .from(directories)
      .where(eq(directories.projectId, projectId))
      .limit(maxTold + 1);
    const isPartial = fileIds.length > maxTold || folders.length > maxTold;
    if (isPartial) {
      const all = { change, files: [], deleted_ids: [], directories: [], is_partial: true };
      return [message(topics.projectFiles, { projectId }, 'files_changed', all)];
    }
    const rows = fileIds.length ? await tx.select().from(files).where(inArray(files.id, fileIds)) : [];
    const people = await loadPeopleOf(tx, rows, (row) => row.updatedById);
    const live = rows.filter((row) => row.deletedAt === null).map((row) => fileView(row, people));
    const liveIds = new Set(live.map((file) => file.id));
    return [
      message(topics.projectFiles, { projectId }, 'files_changed', {
        change,
        files: live,
        deleted_ids: fileIds.filter((id) => !liveIds.has(id)),
        directories: folders.map(directoryView),
        is_partial: false,
      }),
      ...fileIds.map((fileId) =>
        message(topics.file, { projectId, fileId }, 'file_changed', {
          change,
          file: live.find((file) => file.id === fileId) ?? null,
        }),
      ),
    ];
  },
};
