import { z } from 'zod';
import { id } from '../fields.ts';
import { topic } from '../topic.ts';
import { strategyTestView } from './entity.ts';

export const strategyTopic = topic('strategy:{strategyId}', {
  permission: 'strategy.view',
  flag: 'strategies',
  summary: 'Backtests and runs of one strategy, by the id of its .strat file',
  events: {
    test_changed: z.object({ test: strategyTestView }),
    test_deleted: z.object({ test_id: id }),
    run_changed: z.object({ run_id: id, state: z.string() }),
  },
});
