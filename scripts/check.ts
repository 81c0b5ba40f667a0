import { run, type Step, say, step } from './steps.ts';

/** Several find the types of what they share anew, which takes twice the CPU time that the tests beside it could use. */
const oneChecker = ['--checkers', '1'];

/** `npm run check`: everything that needs no running product. Goes on after a failure, to tell all of them. */
export async function check(): Promise<Step[]> {
  const routes = await quietStep('routes', 'node', ['apps/web/scripts/routes.ts']);
  // Each of the second group keeps one core busy at most.
  const groups = await Promise.all([
    inTurn([
      ['format and lint', 'biome', ['check', '.', '--error-on-warnings']],
      ['types of the server and packages', 'tsc', ['-p', 'tsconfig.json', ...oneChecker]],
      ['types of the web app', 'tsc', ['-p', 'apps/web', ...oneChecker]],
      ['types of the journeys', 'tsc', ['-p', 'e2e', ...oneChecker]],
    ]),
    inTurn([
      ['who imports whom', 'depcruise', ['apps', 'packages', '--config', 'dependency-cruiser.config.js']],
      ['nothing unused', 'knip', ['--no-progress']],
      ['no state in modules', 'node', ['scripts/check-state.ts']],
      ['migrations match the tables', 'node', ['scripts/check-migrations.ts']],
    ]),
  ]);
  return [routes, ...groups.flat()];
}

async function inTurn(steps: [name: string, command: string, args: string[]][]): Promise<Step[]> {
  const done: Step[] = [];
  for (const each of steps) done.push(await quietStep(...each));
  return done;
}

async function quietStep(name: string, command: string, args: string[]): Promise<Step> {
  const lines: string[] = [];
  const done = await step(name, () => run(command, args, {}, (line) => lines.push(line)));
  const output = lines.join('\n');
  if (!done.isGood) say(output);
  return { ...done, output };
}

if (import.meta.main) process.exit((await check()).every(({ isGood }) => isGood) ? 0 : 1);
