import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, empty, id, list, page } from '../fields.ts';
import { kernel, kernelName, kernelNotice, pythonEnvironment, ramTier, serverUsage, usageSummary } from './entity.ts';

const tag = 'Kernels';
const chosen = z.object({ kernel: z.string().nullable().describe('Null: the default') });

export const kernelEndpoints = {
  list: endpoint('GET', '/v1/kernels', {
    permission: 'kernel.list',
    tag,
    summary: 'Kernels',
    description:
      'While a Python environment is being created, `environment` has its progress; other kernels work meanwhile.',
  })
    .input(empty)
    .output(
      z.object({
        entries: z.array(kernel),
        environment: pythonEnvironment,
        notice: kernelNotice.nullable().describe('How code is isolated where there is no sandbox'),
      }),
    ),

  getChosen: endpoint('GET', '/v1/kernels/user', { permission: 'kernel.list', tag, summary: 'Your default kernel' })
    .input(empty)
    .output(chosen),

  choose: endpoint('PATCH', '/v1/kernels/user', {
    permission: 'kernel.choose',
    flag: 'kernels',
    tag,
    summary: 'Choose your default kernel',
  })
    .input(z.strictObject({ kernel: kernelName.nullable() }))
    .output(chosen),

  ramTiers: endpoint('GET', '/v1/me/ram_tiers', {
    permission: 'kernel.list',
    tag,
    summary: 'Server sizes, and which the plan includes',
  })
    .input(empty)
    .output(z.object({ entries: z.array(ramTier) })),

  myServers: endpoint('GET', '/v1/my_servers', {
    permission: 'server.list',
    tag,
    summary: 'Your running kernels',
  })
    .input(z.strictObject({ page: page(1), page_size: page(10, 100) }))
    .output(list(serverUsage)),

  stopServer: endpoint('DELETE', '/v1/my_servers/{id}', {
    permission: 'server.stop',
    tag,
    summary: 'Stop one of your kernels',
  })
    .input(z.strictObject({ id }))
    .output(done),

  myUsage: endpoint('GET', '/v1/my_usage', { permission: 'server.list', tag, summary: 'My usage' })
    .input(
      z.strictObject({
        type: z.enum(['server', 'execution']).default('server'),
        page: page(1),
        page_size: page(10, 100),
      }),
    )
    .output(list(serverUsage)),

  usageSummary: endpoint('GET', '/v1/my_usage/summary', {
    permission: 'server.list',
    tag,
    summary: 'My usage of the last days, added up',
  })
    .input(z.strictObject({ days: z.coerce.number().int().min(1).max(366).default(30) }))
    .output(usageSummary),

  jupyterStats: endpoint('GET', '/v1/admin/jupyter_stats', {
    permission: 'kernel.stats',
    tag,
    summary: 'All kernels of the installation',
  })
    .input(empty)
    .output(
      z.object({
        providers: z.array(z.object({ name: z.string(), is_available: z.boolean(), detail: z.string() })),
        environment: pythonEnvironment.nullable().describe('Null: no kernel host runs on this server yet'),
        running: z.int(),
        busy: z.int(),
        memory_used: z.int(),
        started_today: z.int(),
        executions_today: z.int(),
        ended_today: z.array(z.object({ reason: z.string(), count: z.int() })),
      }),
    ),
};
