import { Follow } from '../code/follow.ts';
import type { RunOrder, Seen } from '../code/host-protocol.ts';
import { StrategyError, scriptOf } from '../code/load.ts';
import type { ParameterValues } from '../code/parameters.ts';
import { type Declared, readDeclared, readProblem, textOf } from '../code/read-answer.ts';
import { engineSource } from '../code/realm.ts';
import { Replay } from '../code/replay.ts';
import type { Drive } from '../engine/simulation.ts';
import type { StrategyProblem } from '../job.ts';
import { PythonSession } from '../python/session.ts';
import { type Host, HostEnded, type Hosts } from './host.ts';

interface PassOptions {
  wants: RunOrder['wants'];
  /** Up to this step only. */
  end: number | null;
  onSeen?(seen: Seen): void;
}

export type Apart = <Result>(work: (drive: Drive) => Result, limitMs: number) => Result;

/** A strategy that runs in a process of its own: it is described there, and each pass asks there what is decided. */
export interface HostedStrategy {
  declared: Declared;
  /** Of what it runs in; other libraries can give other last digits. */
  version: string;
  warmUpFor(values: ParameterValues): number;
  /** Of one pass, in the process that is open. */
  drive(options?: PassOptions): Drive;
  /** Passes in a new process that knows nothing of those before it, whose own has ended. */
  apart: Apart;
  /** The same with bars that come one by one, each when it has closed. */
  followed: Apart;
  /** Limits the strategy's processor time, and turns a missing answer into a problem with a reason. */
  guard<Result>(work: () => Result, limitMs: number): Result;
  end(): void;
}

const loadingMs = 2_000;
const whole: PassOptions = { wants: null, end: null };

const endingProblem = ({ ending }: HostEnded, limitMs: number): StrategyProblem => ({
  code: ending === 'time' ? 'time_limit' : 'error',
  message: {
    start: 'What runs it could not be started on this server.',
    time: `The strategy took longer than ${limitMs / 1000} seconds of the processor's time`,
    memory: 'It needs more memory than a strategy may take.',
    end: 'It ended without an answer: most likely it needs more memory than a strategy may take.',
    garbage: 'It answered something that is not a decision and was ended.',
  }[ending],
  ...{ at: null, line: null },
});

function guardHost<Result>(host: Host, work: () => Result, limitMs: number): Result {
  const limit = (ms: number) => {
    if (host.current) host.exchange({ do: 'limit', ms: Math.ceil(ms) });
  };
  host.limitMs = limitMs;
  try {
    limit(limitMs);
    try {
      return work();
    } finally {
      limit(0);
    }
  } catch (error) {
    if (!(error instanceof HostEnded)) throw error;
    host.current = null;
    throw new StrategyError(endingProblem(error, host.cpuSeconds === null ? limitMs : host.cpuSeconds * 1_000), true);
  }
}

/** Each question is answered by plain data, of which only the form is believed. */
function ask(host: Host, message: { do: 'load' | 'warmUp'; parameters?: ParameterValues }, code: string) {
  host.leave();
  const { message: answer } = host.exchange({ ...message, code, ms: Math.ceil(host.limitMs) });
  const problem =
    answer.ask === 'error' ? { ...answer, code: message.do === 'load' ? 'code' : 'error' } : answer.problem;
  if (problem) throw new StrategyError(readProblem(problem));
  return answer;
}

export function loadHosted(text: string, hosts: Hosts): HostedStrategy {
  const isPython = hosts.language === 'python';
  const code = isPython ? text : scriptOf(text);
  /** A new one, and what it says it is. */
  const open = (): { host: Host; version: string } => {
    const opened = hosts.open();
    const hello = isPython ? { do: 'hello' } : { do: 'hello', engine: engineSource() };
    const version = guardHost(opened, () => textOf(opened.exchange(hello).message.version, 200), loadingMs);
    return { host: opened, version };
  };
  const { host, version } = open();
  /** Of the warm-up. */
  let asked: ParameterValues | null = null;
  const driveIn = (each: Host, { wants, end, onSeen }: PassOptions): Drive =>
    isPython
      ? (simulation) => new PythonSession(each, code, simulation)
      : (simulation) => {
          const replay = new Replay(each, code, simulation, wants, end);
          if (replay.seen) onSeen?.(replay.seen);
          return replay;
        };
  const apartWith =
    (driveOf: (each: Host) => Drive): Apart =>
    (work, limitMs) => {
      host.end();
      const { host: other } = open();
      try {
        // As the first process did: the number of a fork would say which run it is.
        if (isPython) {
          guardHost(other, () => ask(other, { do: 'load' }, code), loadingMs);
          if (asked)
            guardHost(other, () => ask(other, { do: 'warmUp', parameters: asked as ParameterValues }, code), loadingMs);
        }
        return guardHost(other, () => work(driveOf(other)), limitMs);
      } finally {
        other.end();
      }
    };
  try {
    const declared = guardHost(host, () => readDeclared(ask(host, { do: 'load' }, code)), loadingMs);
    return {
      ...{ declared, version },
      warmUpFor(parameters) {
        asked = parameters;
        const { bars } = guardHost(host, () => ask(host, { do: 'warmUp', parameters }, code), loadingMs);
        if (typeof bars === 'number' && Number.isFinite(bars) && bars >= 0) return Math.ceil(bars);
        const message = `warmUp is ${String(bars).slice(0, 100)}`;
        throw new StrategyError({ code: 'code', message, at: null, line: null });
      },
      drive: (options = whole) => driveIn(host, options),
      apart: apartWith((each) => driveIn(each, { ...whole, wants: 'columns' })),
      followed: apartWith(
        (each) => (simulation) =>
          isPython ? new PythonSession(each, code, simulation, true) : new Follow(each, code, simulation),
      ),
      guard: (work, limitMs) => guardHost(host, work, limitMs),
      end: () => host.end(),
    };
  } catch (error) {
    host.end();
    throw error;
  }
}
