import { run, step } from './steps.ts';

/** `npm run check`: everything that needs no running product. Goes on after a failure, to tell all of them. */
export async function check(): Promise<boolean> {
  const results = [
    await step('routes', () => run('node', ['apps/web/scripts/routes.ts'])),
    await step('format and lint', () => run('biome', ['check', '.', '--error-on-warnings'])),
    await step('types of the server and packages', () => run('tsc', ['-p', 'tsconfig.json'])),
    await step('types of the web app', () => run('tsc', ['-p', 'apps/web'])),
    await step('types of the journeys', () => run('tsc', ['-p', 'e2e'])),
    await step('who imports whom', () =>
      run('depcruise', ['apps', 'packages', '--config', 'dependency-cruiser.config.js']),
    ),
    await step('nothing unused', () => run('knip', ['--no-progress'])),
    await step('migrations match the tables', () => run('node', ['scripts/check-migrations.ts'])),
  ];
  return results.every(Boolean);
}

if (import.meta.main) process.exit((await check()) ? 0 : 1);
