import { z } from 'zod';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { done, id, line, list, page } from '../fields.ts';
import { fileDataEndpoints } from './data.ts';
import { directory, filePath, fileVersion, path, projectFile } from './entity.ts';

const tag = 'Files';
const ofProject = z.strictObject({ id });
const ofFile = z.strictObject({ id, fileId: id });

export const fileEndpoints = {
  tree: endpoint('GET', '/v1/notebooks/{id}/files-dirs', {
    permission: 'project.view_source',
    tag,
    summary: 'Files and folders',
    description: 'All of them, or those below `dir`.',
  })
    .input(ofProject.extend({ dir: path.optional() }))
    .output(z.object({ files: z.array(projectFile), directories: z.array(directory) })),

  move: endpoint('PATCH', '/v1/notebooks/{id}/files-dirs', {
    permission: 'project.edit',
    tag,
    summary: 'Rename or move a file or folder',
  })
    .input(ofProject.extend({ from: filePath, to: filePath }))
    .output(done),

  makeDirectory: endpoint('POST', '/v1/notebooks/{id}/files-dirs', {
    permission: 'project.edit',
    tag,
    summary: 'Create a folder',
  })
    .input(ofProject.extend({ path: filePath }))
    .output(directory),

  deletePaths: endpoint('DELETE', '/v1/notebooks/{id}/files-dirs', {
    permission: 'project.edit',
    tag,
    summary: 'Delete files and folders',
    description: 'Deleted files can be restored for 30 days.',
  })
    .input(ofProject.extend({ paths: z.array(filePath).min(1).max(1_000) }))
    .output(z.object({ file_ids: z.array(id) })),

  clonedIds: endpoint('POST', '/v1/notebooks/{id}/cloned-ids', {
    permission: 'project.view_source',
    isWriting: false,
    tag,
    summary: 'Ids of files in a clone',
  })
    .input(ofProject.extend({ file_ids: z.array(id).max(1_000), clone_notebook_id: id }))
    .output(z.object({ ids: z.record(z.string(), id) })),

  get: endpoint('GET', '/v1/notebooks/{id}/files/{fileId}', {
    permission: 'project.view_source',
    tag,
    summary: 'A file',
  })
    .input(ofFile)
    .output(projectFile),

  delete: endpoint('DELETE', '/v1/notebooks/{id}/files/{fileId}', {
    permission: 'project.edit',
    tag,
    summary: 'Delete a file',
  })
    .input(ofFile)
    .output(done),

  restoreDeleted: endpoint('POST', '/v1/notebooks/{id}/files/{fileId}/restore', {
    permission: 'project.edit',
    flag: 'versions',
    tag,
    summary: 'Restore a deleted file',
  })
    .input(ofFile)
    .output(projectFile),

  create: endpoint('POST', '/v1/notebooks/{id}/files-contents', {
    permission: 'project.edit',
    limit: 'upload',
    tag,
    summary: 'Create a file from an upload',
    description: 'Content never comes with this call; without an upload the file is empty.',
  })
    .input(
      ofProject.extend({
        name: filePath.describe('Its path in the project'),
        language: line(40).optional(),
        mime_type: line(120).optional(),
        upload_id: id.optional(),
      }),
    )
    .output(projectFile),

  update: endpoint('PATCH', '/v1/notebooks/{id}/files-contents/{fileId}', {
    permission: 'project.edit',
    tag,
    summary: 'Save a new version, or rename',
    description:
      'With `base_version`, a file that has a newer one is left alone and 409 answers `details.version`, so that no unseen version is overwritten.',
  })
    .input(
      ofFile.extend({
        upload_id: id.optional(),
        base_version: z.int().min(0).optional(),
        version_name: line(120).optional(),
        is_manual: z
          .boolean()
          .optional()
          .describe(
            'False for automatic saves, which become one version within five minutes. True alone keeps the newest.',
          ),
        name: filePath.optional(),
        language: line(40).optional(),
      }),
    )
    .output(projectFile),

  duplicate: endpoint('PUT', '/v1/notebooks/{id}/files/{fileId}/duplicate', {
    permission: 'project.edit',
    tag,
    summary: 'Duplicate a file',
  })
    .input(ofFile)
    .output(projectFile),

  versions: endpoint('GET', '/v1/notebooks/{id}/files/{fileId}/versions', {
    permission: 'project.view_history',
    flag: 'versions',
    tag,
    summary: 'Versions of a file, newest first',
  })
    .input(ofFile.extend({ page: page(1), page_size: page(10, 100) }))
    .output(list(fileVersion)),

  version: endpoint('GET', '/v1/notebooks/{id}/files/{fileId}/versions/{versionId}', {
    permission: 'project.view_history',
    flag: 'versions',
    tag,
    summary: 'One version of a file',
  })
    .input(ofFile.extend({ versionId: id }))
    .output(fileVersion),

  restoreVersion: endpoint('POST', '/v1/notebooks/{id}/files/{fileId}/versions/{versionId}/restore', {
    permission: 'project.edit',
    flag: 'versions',
    tag,
    summary: 'Restore an old version',
  })
    .input(ofFile.extend({ versionId: id }))
    .output(projectFile),

  ...fileDataEndpoints,
};

export const fileRawEndpoints = {
  contents: rawEndpoint('GET', '/v1/notebooks/{id}/file_raw_contents/{fileId}', {
    permission: 'project.view_source',
    tag,
    summary: "A file's bytes; `version_id` for an older version (needs project.view_history), `download` to save it",
    description:
      'With `publication_id` the published file in a version of the publication, for everyone who may read it; where readers get the files of the project with their copy, those too.',
  }),
  archive: rawEndpoint('GET', '/v1/notebooks/{id}/archive', {
    permission: 'project.export',
    flag: 'export',
    tag,
    summary: 'The project as a zip; `paths[]` for some of it',
  }),
  export: rawEndpoint('POST', '/v1/projects/{id}/export', {
    permission: 'project.export',
    isWriting: false,
    flag: 'export',
    tag,
    summary: 'The project as a zip; `paths` for some of it',
  }),
};
