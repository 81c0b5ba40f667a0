import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const strategiesDeclaration = declare({
  permissions: ['strategy.list', 'strategy.view', 'strategy.test', 'strategy.run', 'strategy.follow', 'strategy.copy'],
  events: {
    'strategy.test_changed': z.object({ test_id: id, project_id: id, file_id: id, state: z.string() }),
    'strategy.run_changed': z.object({ run_id: id, project_id: id, file_id: id.nullable(), state: z.string() }),
    'strategy.ordered': z.object({ run_id: id, decision_id: z.string(), order_id: id }),
  },
});
