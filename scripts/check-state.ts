import { globSync, readFileSync } from 'node:fs';

/** In a module of a feature, something that is empty at first or assigned again: all apps of the process would share it. */
const variable = /^(?:export )?(?:let\s|const \w+(?:: [^=]+)? = new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\);)/;

const problems = globSync('apps/server/src/features/**/*.ts')
  .filter((path) => !path.endsWith('.test.ts'))
  .flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index) => (variable.test(line) ? `${path}:${index + 1}: ${line}` : [])),
  );
if (problems.length > 0) {
  console.error(`State lives in the app: use appState.\n${problems.join('\n')}`);
  process.exit(1);
}
