import { describeLoaded, loadStrategy, warmUpFor } from '../code/load.ts';
import { prepare } from '../code/prepare.ts';
import { readDeclared } from '../code/read-answer.ts';
import type { Columns } from '../engine/columns.ts';
import { Simulation, type SimulationSetup } from '../engine/simulation.ts';
import { loadHosted } from '../hosts/load.ts';
import type { LiveJob } from './live-types.ts';

/** Where a live run decides: this process for TypeScript, one beside it for Python. */
export interface LiveWorld {
  setup: SimulationSetup;
  Simulation: typeof Simulation;
  columnsOf(columns: Columns): Columns;
  copy<Value>(value: Value): Value;
  guard<Result>(work: () => Result, limitMs: number): Result;
}

export function liveWorld(job: LiveJob): LiveWorld {
  if (job.hosts) {
    const hosted = loadHosted(job.code, job.hosts);
    return {
      setup: { ...prepare(job, hosted), drive: hosted.drive() },
      ...{ Simulation, guard: hosted.guard },
      columnsOf: (columns) => columns,
      copy: (value) => structuredClone(value),
    };
  }
  const loaded = loadStrategy(job.code);
  const { realm, fresh: load, guard } = loaded;
  const setup = prepare(job, {
    declared: readDeclared(describeLoaded(loaded)),
    warmUpFor: (values) => Number(warmUpFor(loaded, values)),
  });
  const markets = setup.markets.map((market) => ({ ...market, columns: realm.columnsOf(market.columns) }));
  return {
    setup: { ...setup, load, markets, cache: new realm.engine.IndicatorCache() },
    ...{ Simulation: realm.engine.Simulation, columnsOf: realm.columnsOf, copy: realm.copy, guard },
  };
}
