import { z } from 'zod';
import { id, time } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';
import { fileTypes, projectKinds } from '../projects/kinds.ts';
import { cleanPath, pathProblem } from './paths.ts';

/** A path as people send it; cleaned, and refused with the reason when it cannot be used. */
export const path = z
  .string()
  .max(2_000)
  .transform(cleanPath)
  .superRefine((value, context) => {
    const problem = pathProblem(value);
    if (problem) context.addIssue({ code: 'custom', message: problem });
  });

export const filePath = path.refine((value) => value !== '', 'Must not be empty');

/** The spec's Project file. */
export const projectFile = z.object({
  id,
  project_id: id,
  name: z.string(),
  path: z.string(),
  language: z.string(),
  mime_type: z.string(),
  type: z.enum(fileTypes),
  kind: z.enum(projectKinds).nullable().describe('What it is when it can be run'),
  content_url: z.string(),
  size: z.int(),
  metadata: z.record(z.string(), z.unknown()),
  version: z.int().describe('The number of its newest version'),
  version_id: id,
  created_at: time,
  updated_at: time,
  updated_by: personSummary.nullable(),
});
export type ProjectFile = z.infer<typeof projectFile>;

export const directory = z.object({ path: z.string(), name: z.string(), created_at: time });
export type Directory = z.infer<typeof directory>;

/** The spec's File revision. */
export const fileVersion = z.object({
  id,
  file_id: id,
  version: z.int(),
  name: z.string().nullable().describe('Set by a person; null for automatic versions'),
  size: z.int(),
  author: personSummary.nullable(),
  content_url: z.string(),
  created_at: time,
  revisioned_at: time,
  metadata: z.record(z.string(), z.unknown()),
});
export type FileVersion = z.infer<typeof fileVersion>;
