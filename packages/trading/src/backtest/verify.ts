import { differenceOf, nearly, timeText, untestedBy } from './checks.ts';
import { checkJob, prepare, timeLimitOf } from './code/prepare.ts';
import { Simulation } from './engine/simulation.ts';
import { fingerprintOf } from './fingerprint.ts';
import { loadHosted } from './hosts/load.ts';
import type { BacktestJob, Check, Fingerprint } from './job.ts';

export interface Verification {
  check: Check;
  /** Of the same computed again with all bars at hand; null where it could not be. */
  fingerprint: Fingerprint | null;
}

/** Each bar waits for an answer. */
const reportedEvery = 5_000;

/**
 * The strategy once more in a process that gets each bar when it has closed, and no other: the future is not in it. It is
 * verified when it decides the same as with all bars at hand.
 */
export function verify(job: BacktestJob, onProgress?: (share: number) => void): Verification {
  checkJob(job);
  const strategy = loadHosted(job.code, job.hosts);
  const limitMs = timeLimitOf(job);
  let fingerprint: Fingerprint | null = null;
  let bars = 0;
  const skipped = (message: string): Verification => ({
    check: { state: 'skipped', runs: bars, message, at: null },
    fingerprint,
  });
  try {
    const setup = prepare(job, strategy);
    let whole: Simulation | null = null;
    strategy.guard(() => {
      whole = new Simulation({ ...setup, drive: strategy.drive() });
      whole.run();
    }, limitMs);
    const all = whole as unknown as Simulation;
    fingerprint = fingerprintOf(job, strategy.version, setup.parameters, all);
    const { first, times } = all;
    if (times.length <= first) return skipped('Not tested: there are too few bars');
    const count = times.length - first;
    const followed = strategy.followed((drive) => {
      const simulation = new Simulation({ ...setup, drive, state: {}, recordFrom: Number.POSITIVE_INFINITY });
      for (let end = first; end < times.length; bars = end - first) {
        end = Math.min(end + reportedEvery, times.length);
        simulation.run(end);
        onProgress?.((end - first) / count);
      }
      return simulation;
    }, limitMs);
    bars = count;
    const difference = differenceOf(all, followed, Number.POSITIVE_INFINITY, nearly);
    if (!difference) {
      const message = `Decided the same on ${bars.toLocaleString('en')} bars that were handed over one by one`;
      return { check: { state: 'passed', runs: bars, message, at: null }, fingerprint };
    }
    const { at, ours, theirs } = difference;
    const message = `At ${timeText(at)} it decides "${ours}" with all bars at hand, "${theirs}" when they are handed over one by one`;
    return { check: { state: 'failed', runs: bars, message, at }, fingerprint };
  } catch (error) {
    const untested = untestedBy(error, bars);
    if (untested) return { check: untested, fingerprint };
    // What fails with all bars at hand says nothing of how they were handed over.
    if (!fingerprint) return skipped(`Not tested: ${error instanceof Error ? error.message : String(error)}`);
    const message = error instanceof Error ? error.message : String(error);
    const check: Check = {
      state: 'failed',
      runs: bars,
      message: `Bar by bar the strategy fails: ${message}`,
      at: null,
    };
    return { check, fingerprint };
  } finally {
    strategy.end();
  }
}
