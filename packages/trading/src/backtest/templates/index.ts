import type { Interval } from '../../port.ts';
import { breakout, breakoutPython } from './breakout.ts';
import { costAveraging, costAveragingPython } from './cost-averaging.ts';
import { grid, gridPython } from './grid.ts';
import { meanReversion, meanReversionPython } from './mean-reversion.ts';
import { momentumRotation, momentumRotationPython } from './momentum-rotation.ts';
import { movingAverageCross, movingAverageCrossPython } from './moving-average-cross.ts';
import { rebalancing, rebalancingPython } from './rebalancing.ts';

/** A strategy to begin with. */
export interface StrategyTemplate {
  id: string;
  name: string;
  description: string;
  interval: Interval;
  /** Assets that it is shown with. */
  assets: readonly string[];
  /** In TypeScript, and what decides the same in Python. */
  code: string;
  python: string;
}

const ten = ['BTC', 'ETH', 'SOL', 'BNB', 'XRP', 'ADA', 'DOGE', 'AVAX', 'LINK', 'DOT'];

export const strategyTemplates: readonly StrategyTemplate[] = [
  {
    ...{ id: 'moving_average_cross', name: 'Moving average cross', interval: '1h', assets: ['BTC'] },
    description: 'Buys when a fast average rises above a slow one and sells when it falls below.',
    code: movingAverageCross,
    python: movingAverageCrossPython,
  },
  {
    ...{ id: 'mean_reversion', name: 'Mean reversion', interval: '1h', assets: ['ETH'] },
    description: 'Buys what has fallen far below its average and sells it when it is back.',
    code: meanReversion,
    python: meanReversionPython,
  },
  {
    ...{ id: 'breakout', name: 'Breakout with stops', interval: '1h', assets: ['SOL'] },
    description: 'Buys a new high in the direction of the longer trend, with a stop that follows and a goal.',
    code: breakout,
    python: breakoutPython,
  },
  {
    ...{ id: 'momentum_rotation', name: 'Momentum rotation', interval: '1h', assets: ten },
    description: 'Holds the strongest of ten assets in equal parts and looks again once a day.',
    code: momentumRotation,
    python: momentumRotationPython,
  },
  {
    ...{ id: 'cost_averaging', name: 'Cost averaging', interval: '1h', assets: ['BTC'] },
    description: 'Buys for the same sum again and again, more when the price has fallen.',
    code: costAveraging,
    python: costAveragingPython,
  },
  {
    ...{ id: 'grid', name: 'Grid', interval: '1h', assets: ['ETH'] },
    description: 'Waits below the price with several purchases, each with its own sale a step higher.',
    code: grid,
    python: gridPython,
  },
  {
    ...{ id: 'rebalancing', name: 'Rebalancing', interval: '1d', assets: ten.slice(0, 5) },
    description: 'Holds five assets in equal shares and trades when one has drifted away.',
    code: rebalancing,
    python: rebalancingPython,
  },
];
