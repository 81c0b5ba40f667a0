import type { StrategyTestDetail } from '@atoll/contract';

/** What is stored of a test, as it is answered. */
export type StoredResult = Pick<StrategyTestDetail, 'problem' | 'result' | 'points' | 'folds' | 'warning'>;
