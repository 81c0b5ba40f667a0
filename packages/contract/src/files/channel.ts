import { z } from 'zod';
import { id } from '../fields.ts';
import { runStatuses } from '../runs/entity.ts';
import { topic } from '../topic.ts';
import { directory, projectFile } from './entity.ts';

const change = z.enum(['created', 'saved', 'moved', 'deleted', 'restored']);

export const projectFilesTopic = topic('project_files:{projectId}', {
  permission: 'project.view_source',
  summary: 'The file tree of a project, live',
  events: {
    files_changed: z.object({
      change,
      files: z.array(projectFile).describe('As they are now'),
      deleted_ids: z.array(id),
      directories: z.array(directory).describe('All of them'),
      is_partial: z.boolean().describe('Too many changes at once: reload the tree'),
    }),
    run_changed: z
      .object({ run_id: id, status: z.enum(runStatuses) })
      .describe('More for people who may view the history'),
    project_changed: z.object({ fields: z.array(z.string()) }),
  },
});

export const fileTopic = topic('file:{projectId}/{fileId}', {
  permission: 'project.view_source',
  summary: 'One file: its saves, moves and versions',
  events: {
    file_changed: z.object({ change, file: projectFile.nullable().describe('Null once it is deleted') }),
  },
});
