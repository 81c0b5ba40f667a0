import { lookAheadCheck, warmUpCheck } from '../checks.ts';
import { type LoadedStrategy, StrategyError } from '../code/load.ts';
import { declarationProblems, type Parameters } from '../code/parameters.ts';
import { IndicatorCache, valuesOf } from '../engine/frame.ts';
import { Simulation } from '../engine/simulation.ts';
import type { StrategyDefinition } from '../engine/strategy.ts';
import type { StrategyProblem } from '../job.ts';
import { type PythonConnection, PythonEnded } from './connection.ts';
import { PythonSession } from './session.ts';

const loadingMs = 2_000;

/** The engine as it is: what strategies in Python are kept away from is in another process. */
const realm: LoadedStrategy['realm'] = {
  engine: { Simulation, IndicatorCache, lookAheadCheck, warmUpCheck, valuesOf },
  columnsOf: (columns) => columns,
  copy: (value) => structuredClone(value),
};

interface Described {
  parameters: Parameters;
  markets: [number, number];
  timeframes: NonNullable<StrategyDefinition['timeframes']>;
  /** Null where it depends on the parameters. */
  warmUp: number | null;
}
const endProblem = (isLate: boolean, timeLimitMs: number) =>
  new StrategyError({
    code: isLate ? 'time_limit' : 'error',
    message: isLate
      ? `The strategy took longer than ${timeLimitMs / 1000} seconds`
      : 'It ended without an answer: most likely it needs more memory than a strategy may take.',
    ...{ at: null, line: null },
  });
interface Told {
  message: string;
  line: number | null;
}

/** A strategy in Python, as the engine takes one: it is described there, and each run asks there what is decided. */
export function loadPython(code: string, python: PythonConnection): LoadedStrategy {
  const fail = (message: string, line: number | null = null): never => {
    throw new StrategyError({ code: 'code', message, at: null, line });
  };
  const limit = (ms: number) => {
    if (python.current) python.exchange({ do: 'limit', ms });
  };
  const guard: LoadedStrategy['guard'] = (work, timeLimitMs) => {
    python.deadline = performance.now() + timeLimitMs;
    try {
      limit(python.msLeft);
      try {
        return work();
      } finally {
        limit(0);
      }
    } catch (error) {
      if (!(error instanceof PythonEnded)) throw error;
      python.current = null;
      throw endProblem(performance.now() >= python.deadline - 50, timeLimitMs);
    } finally {
      python.deadline = Number.POSITIVE_INFINITY;
    }
  };
  /** Asked of a fork of its own, which ends with the answer. */
  const ask = <Answer>(message: object, problem: StrategyProblem['code']): Answer => {
    python.leave();
    const { message: answer } = python.exchange({ ...message, code, ms: python.msLeft });
    if (answer.ask !== 'error') return answer as Answer;
    const { message: text, line } = answer as unknown as Told;
    throw new StrategyError({ code: problem, message: text, at: null, line });
  };
  const described = guard(() => ask<Described>({ do: 'load' }, 'code'), loadingMs);
  const problems = declarationProblems(described.parameters);
  if (problems.length > 0) fail(problems.join('. '));
  const [min, max] = described.markets;
  if (!Number.isInteger(min) || !Number.isInteger(max)) fail('markets is how many it trades: markets = (1, 5)');
  const definition: StrategyDefinition = {
    ...{ parameters: described.parameters, markets: { min, max }, timeframes: described.timeframes },
    warmUp: described.warmUp ?? ((parameters) => ask<{ bars: number }>({ do: 'warmUp', parameters }, 'error').bars),
    start: () => fail('Strategies in Python are started there'),
  };
  return {
    ...{ definition, realm, guard },
    fresh: () => definition,
    drive: (simulation) => new PythonSession(python, code, simulation),
  };
}
