import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter';

/** What a suite took, so that growth is seen. Suites run beside each other: their seconds overlap. */
export interface Figures {
  suite: string;
  tests: number;
  /** From its first beginning to its last end. */
  seconds: number;
  files: { name: string; seconds: number }[];
}

export function figuresOfJourneys({ suites, stats }: JSONReport): Figures {
  return {
    suite: 'journeys',
    tests: stats.expected + stats.unexpected + stats.flaky,
    seconds: stats.duration / 1000,
    files: suites.map((suite) => ({ name: `e2e/${suite.file}`, seconds: secondsOf(suite) })),
  };
}

function secondsOf({ specs, suites = [] }: JSONReportSuite): number {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results));
  return [...results.map(({ duration }) => duration / 1000), ...suites.map(secondsOf)].reduce(
    (sum, each) => sum + each,
    0,
  );
}

/** One line for each suite, and one for each of its five slowest files. */
export function linesOf({ suite, tests, seconds, files }: Figures): string[] {
  const slowest = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, 5);
  return [
    `${suite.padEnd(16)} ${String(tests).padStart(5)} in ${seconds.toFixed(0).padStart(4)} s`,
    ...slowest.map((file) => `${file.seconds.toFixed(0).padStart(6)} s  ${file.name}`),
  ];
}
