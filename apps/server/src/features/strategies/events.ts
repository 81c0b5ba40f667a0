import { topics } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import type { Broadcasts } from '../../platform/feature.ts';
import { message } from '../../platform/realtime/stream.ts';
import { strategyTests } from './table.ts';
import { viewTest } from './view.ts';

export const strategiesBroadcasts: Broadcasts = {
  'strategy.test_changed': async (tx, { test_id, file_id, state }) => {
    if (state === 'deleted') return [message(topics.strategy, { strategyId: file_id }, 'test_deleted', { test_id })];
    const [row] = await tx.select().from(strategyTests).where(eq(strategyTests.id, test_id));
    if (!row) return [];
    return [message(topics.strategy, { strategyId: file_id }, 'test_changed', { test: viewTest(row, new Map()) })];
  },
  'strategy.run_changed': async (_tx, { run_id, file_id, state }) =>
    file_id ? [message(topics.strategy, { strategyId: file_id }, 'run_changed', { run_id, state })] : [],
};
