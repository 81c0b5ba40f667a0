import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, time } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';

const tag = 'Analysis';

const relatedProject = z.object({ id, name: z.string(), owner: personSummary.nullable(), created_at: time });
export type RelatedProject = z.infer<typeof relatedProject>;

const analyticsGroups = ['day', 'week', 'month'] as const;

const count = z.int();
const analyticsCounts = z.object({
  views: count,
  clones: count,
  runs: count,
  shares: count,
  publication_views: count,
  publication_shares: count,
  publication_clones: count,
  publication_runs: count,
});
export type AnalyticsCounts = z.infer<typeof analyticsCounts>;

const day = z.iso.date();

export const analysisEndpoints = {
  provenance: endpoint('GET', '/v1/notebooks/{id}/analysis/provenance', {
    permission: 'project.view',
    flag: 'analysis',
    tag,
    summary: 'Where a project came from: what it was cloned from, and that in turn',
  })
    .input(z.strictObject({ id }))
    .output(
      z.object({
        entries: z
          .array(z.object({ depth: z.int(), project: relatedProject.nullable() }))
          .describe('The nearest first; null for a project you do not have access to'),
      }),
    ),

  inheritance: endpoint('GET', '/v1/notebooks/{id}/analysis/inheritance', {
    permission: 'project.view',
    flag: 'analysis',
    tag,
    summary: 'What was made from a project: its clones, and theirs',
  })
    .input(z.strictObject({ id }))
    .output(
      z.object({
        entries: z.array(
          z.object({
            depth: z.int(),
            parent_id: id.nullable().describe('Null for a project you do not have access to'),
            project: relatedProject,
          }),
        ),
        hidden_count: z.int().describe('Those you do not have access to'),
        is_complete: z.boolean().describe('False when there are more than are listed'),
      }),
    ),

  analytics: endpoint('GET', '/v1/notebooks/{id}/analytics', {
    permission: 'project.view_analytics',
    flag: 'analysis',
    tag,
    summary: 'How often a project and its publications were viewed, cloned, run and shared',
    description: 'Days are those of UTC; weeks begin on Monday. The last 30 days unless a range is given.',
  })
    .input(
      z.strictObject({
        id,
        group_by: z.enum(analyticsGroups).default('day'),
        from: day.optional(),
        to: day.optional(),
      }),
    )
    .output(
      z.object({
        group_by: z.enum(analyticsGroups),
        from: day,
        to: day,
        entries: z.array(analyticsCounts.extend({ start: day })).describe('One for each day, week or month'),
        totals: analyticsCounts,
      }),
    ),
};
