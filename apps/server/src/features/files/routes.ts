import type { Context } from '../../platform/context.ts';
import { done, endpoints } from '../../platform/http/implement.ts';
import { loadPeople, loadPeopleOf } from '../projects/service/relations.ts';
import { fileDataRoutes } from './data-routes.ts';
import {
  clonedIds,
  createFile,
  deleteFile,
  deletePaths,
  duplicateFile,
  getFile,
  listTree,
  makeDirectory,
  movePath,
  restoreFile,
  updateFile,
} from './service/files.ts';
import { getVersion, listVersions, restoreVersion } from './service/versions.ts';
import type { FileRow } from './table.ts';
import { directoryView, fileView, versionView } from './view.ts';

const { files } = endpoints;

async function answerFile(ctx: Context, file: FileRow) {
  return fileView(file, await loadPeople(ctx.db, [file.updatedById]));
}

export const fileRoutes = {
  ...fileDataRoutes,

  tree: files.tree.handler(async ({ context, input }) => {
    const tree = await listTree(context, input.id, input.dir);
    const people = await loadPeopleOf(context.db, tree.files, (file) => file.updatedById);
    return {
      files: tree.files.map((file) => fileView(file, people)),
      directories: tree.directories.map(directoryView),
    };
  }),

  move: files.move.handler(({ context, input }) => done(movePath(context, input.id, input.from, input.to))),

  makeDirectory: files.makeDirectory.handler(async ({ context, input }) =>
    directoryView(await makeDirectory(context, input.id, input.path)),
  ),

  deletePaths: files.deletePaths.handler(async ({ context, input }) => ({
    file_ids: await deletePaths(context, input.id, input.paths),
  })),

  clonedIds: files.clonedIds.handler(async ({ context, input }) => ({
    ids: await clonedIds(context, input.id, input.file_ids, input.clone_notebook_id),
  })),

  get: files.get.handler(async ({ context, input }) =>
    answerFile(context, await getFile(context, input.id, input.fileId)),
  ),

  delete: files.delete.handler(({ context, input }) => done(deleteFile(context, input.id, input.fileId))),

  restoreDeleted: files.restoreDeleted.handler(async ({ context, input }) =>
    answerFile(context, await restoreFile(context, input.id, input.fileId)),
  ),

  create: files.create.handler(async ({ context, input: { id, ...input } }) =>
    answerFile(context, await createFile(context, id, input)),
  ),

  update: files.update.handler(async ({ context, input: { id, fileId, ...input } }) =>
    answerFile(context, await updateFile(context, id, fileId, input)),
  ),

  duplicate: files.duplicate.handler(async ({ context, input }) =>
    answerFile(context, await duplicateFile(context, input.id, input.fileId)),
  ),

  versions: files.versions.handler(async ({ context, input }) => {
    const { page, page_size } = input;
    const { versions, total } = await listVersions(context, input.id, input.fileId, { page, pageSize: page_size });
    const people = await loadPeopleOf(context.db, versions, (version) => version.authorId);
    return { entries: versions.map((version) => versionView(input.id, version, people)), page, page_size, total };
  }),

  version: files.version.handler(async ({ context, input }) => {
    const version = await getVersion(context, input.id, input.fileId, input.versionId);
    return versionView(input.id, version, await loadPeople(context.db, [version.authorId]));
  }),

  restoreVersion: files.restoreVersion.handler(async ({ context, input }) =>
    answerFile(context, await restoreVersion(context, input.id, input.fileId, input.versionId)),
  ),
};
