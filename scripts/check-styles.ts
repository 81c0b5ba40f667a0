import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The import rules do not see what a style is composed of: features share theirs in `ui/styles`. */
const borrowed = globSync('apps/web/src/features/*/**/*.css').flatMap((path) => {
  const own = path.split('/').slice(0, 5).join('/');
  return [...readFileSync(path, 'utf8').matchAll(/composes:[^;]*\sfrom\s+["']([^"']+)/g)]
    .map(([, from = '']) => join(dirname(path), from))
    .filter((from) => ![`${own}/`, 'apps/web/src/ui/styles/'].some((allowed) => from.startsWith(allowed)))
    .map((from) => `${path}: composed of ${from}; what features share is in apps/web/src/ui/styles`);
});

const importedStyles = (source: string) =>
  [...source.matchAll(/styles\/(\w+)\.layer\.css/g)].map(([, name = '']) => name);
const everywhere = importedStyles(readFileSync('apps/web/src/ui/theme/styles.ts', 'utf8'));

/** A page that is opened directly has the styles that its own files import, and no others. */
const missing = globSync('apps/web/src/**/*.tsx', { exclude: ['**/*.test.tsx'] }).flatMap((path) => {
  const source = readFileSync(path, 'utf8');
  const imported = [...everywhere, ...importedStyles(source)];
  const [, names = ''] = /import \{([^}]*)\} from '@mantine\/core'/.exec(source) ?? [];
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !imported.includes(name) && existsSync(`node_modules/@mantine/core/styles/${name}.layer.css`))
    .map((name) => `${path}: uses ${name} and does not import '@mantine/core/styles/${name}.layer.css'`);
});

const problems = [...borrowed, ...missing];
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
