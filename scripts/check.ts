import { inTurn, run, type Step, say, step } from './steps.ts';

/** Several find the types of what they share anew, which takes twice the CPU time that the tests beside it could use. */
const oneChecker = ['--checkers', '1'];
/** Nor does collecting garbage repay its time in a process that soon ends, as long as there is memory. */
export const rarelyCollecting = { GOGC: 'off', GOMEMLIMIT: '2GiB' };

/** The route tree is generated; the build writes it too where it is missing. */
export const makeRoutes = () => quietStep('routes', 'node', ['apps/web/scripts/routes.ts']);

/** `npm run check`: everything that needs no running product. Goes on after a failure, to tell all of them. */
export async function check(): Promise<Step[]> {
  const routes = await makeRoutes();
  // Each of the second group keeps one core busy at most.
  const groups = await Promise.all([
    inTurn([
      () => quietStep('format and lint', 'biome', ['check', '.', '--error-on-warnings']),
      () => quietStep('types of the server and packages', 'tsc', ['-p', 'tsconfig.json', ...oneChecker]),
      () => quietStep('types of the web app', 'tsc', ['-p', 'apps/web', ...oneChecker]),
      () => quietStep('types of the journeys', 'tsc', ['-p', 'e2e', ...oneChecker]),
    ]),
    inTurn([
      () =>
        quietStep('who imports whom', 'depcruise', ['apps', 'packages', '--config', 'dependency-cruiser.config.js']),
      () => quietStep('nothing unused', 'knip', ['--no-progress']),
      () => quietStep('no state in modules', 'node', ['scripts/check-state.ts']),
      () => quietStep('no folder too large', 'node', ['scripts/check-folders.ts']),
      () => quietStep('styles are where they are used', 'node', ['scripts/check-styles.ts']),
      () => quietStep('files that pages name', 'node', ['scripts/check-docs.ts']),
      () => quietStep('plain words', 'node', ['scripts/check-words.ts']),
      () => quietStep('migrations match the tables', 'node', ['scripts/check-migrations.ts']),
    ]),
  ]);
  return [routes, ...groups.flat()];
}

async function quietStep(name: string, command: string, args: string[]): Promise<Step> {
  const lines: string[] = [];
  const done = await step(name, () => run(command, args, rarelyCollecting, (line) => lines.push(line)));
  const output = lines.join('\n');
  if (!done.isGood) say(output);
  return { ...done, output };
}

if (import.meta.main) process.exit((await check()).every(({ isGood }) => isGood) ? 0 : 1);
