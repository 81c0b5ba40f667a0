import { z } from 'zod';
import { execution, outputChange } from '../kernels/entity.ts';
import { topic } from '../topic.ts';
import { run } from './entity.ts';

export const runTopic = topic('run:{projectId}/{runId}', {
  permission: 'project.view_history',
  summary: 'One run, live',
  events: {
    run_changed: z.object({ run }),
    execution_changed: z.object({ execution, changes: z.array(outputChange) }),
  },
});
