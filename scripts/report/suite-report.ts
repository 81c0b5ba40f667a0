import { stripVTControlCharacters } from 'node:util';

/** What Vitest and Playwright each leave behind for the end of `npm test`. */
export interface SuiteReport {
  passed: number;
  failures: Failure[];
  /** Failed first and passed when tried again. */
  flaky: Failure[];
  figures: Figures[];
}

export interface Failure {
  test: string;
  error: string;
}

/** What a suite took, so that growth is seen. Suites run beside each other: their seconds overlap. */
export interface Figures {
  suite: string;
  tests: number;
  /** From its first beginning to its last end. */
  seconds: number;
  files: { name: string; seconds: number }[];
}

/** One line for each suite, and one for each of its five slowest files. */
export function linesOf({ suite, tests, seconds, files }: Figures): string[] {
  const slowest = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, 5);
  return [
    `${suite.padEnd(16)} ${String(tests).padStart(5)} in ${seconds.toFixed(0).padStart(4)} s`,
    ...slowest.map((file) => `${file.seconds.toFixed(0).padStart(6)} s  ${file.name}`),
  ];
}

/** Every failure is named; the errors share what is left of the lines, since a log may be cut to its end. */
export function linesOfFailures(label: string, failures: Failure[], limit: number): string[] {
  const each = Math.min(15, Math.floor(limit / Math.max(1, failures.length)) - 1);
  return failures.flatMap(({ test, error }) => [
    `${label}: ${test}`,
    ...stripVTControlCharacters(error)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(0, Math.max(0, each))
      .map((line) => `    ${line.slice(0, 300)}`),
  ]);
}

/** Says a failure at once, and otherwise one line for every so many tests. */
export class Progress {
  #ended = 0;
  #failed = 0;
  readonly #what: string;
  readonly #every: number;
  readonly #say: (line: string) => void;

  constructor(what: string, every: number, say: (line: string) => void) {
    this.#what = what;
    this.#every = every;
    this.#say = say;
  }

  ended(failed: string[]): void {
    this.#ended++;
    this.#failed += failed.length;
    for (const test of failed) this.#say(`✗ ${test}`);
    if (this.#ended % this.#every === 0)
      this.#say(`${this.#ended} ${this.#what}${this.#failed ? `, ${this.#failed} failed` : ''}`);
  }
}
