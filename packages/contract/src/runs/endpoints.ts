import { z } from 'zod';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { flag, id, line, list, page } from '../fields.ts';
import { kernelName } from '../kernels/entity.ts';
import { computeTiers } from '../plans.ts';
import { run, runDetail, runModes, runParameters } from './entity.ts';

const tag = 'Runs';
const byId = z.strictObject({ id, runId: id });

export const runEndpoints = {
  list: endpoint('GET', '/v1/notebooks/{id}/runs', {
    permission: 'project.view_history',
    tag,
    summary: 'Runs of a project, newest first',
    description:
      "`mode` last_ok: those that succeeded; scheduled: those begun by a schedule; latest: all. One's own, unless `all_runs`.",
  })
    .input(
      z.strictObject({
        id,
        mode: z.enum(runModes).default('latest'),
        search: line(200).optional().describe('A number, a file, a person, or words of the reason'),
        project_file_id: id.optional(),
        all_runs: flag.optional(),
        page: page(1),
        page_size: page(10, 100),
      }),
    )
    .output(list(run)),

  start: endpoint('POST', '/v1/notebooks/{id}/runs', {
    permission: 'project.execute',
    flag: 'kernels',
    tag,
    summary: 'Run a file from start to end',
    description: 'The main file unless another one is named. Answers at once; the topic of the run has its progress.',
  })
    .input(
      z.strictObject({
        id,
        project_file_id: id.optional(),
        kernel: kernelName.optional(),
        tier: z.enum(computeTiers).optional(),
        parameters: runParameters
          .optional()
          .describe(
            'Of a notebook: set after its cell tagged `parameters`, or before all cells. Needs the feature execute_with_parameters',
          ),
        with_secrets: z
          .boolean()
          .optional()
          .describe("Your secrets are in it even where other people can change the project's code"),
      }),
    )
    .output(run),

  get: endpoint('GET', '/v1/notebooks/{id}/runs/{runId}', {
    permission: 'project.view_history',
    tag,
    summary: 'A run with its outputs',
  })
    .input(byId)
    .output(runDetail),

  stop: endpoint('DELETE', '/v1/notebooks/{id}/runs/{runId}', {
    permission: 'project.execute',
    tag,
    summary: 'Stop a run',
    description: 'One that has ended already stays as it is.',
  })
    .input(byId)
    .output(run),
};

export const runRawEndpoints = {
  result: rawEndpoint('GET', '/v1/notebooks/{id}/runs/{runId}/result', {
    permission: 'project.view_history',
    tag,
    summary: 'The file of a run with its outputs',
  }),
};
