import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

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

const esm = 'node_modules/@mantine/core/esm';
const importsOf = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/import (.+) from "(\..+)";/g)].map(([, names = '', from = '']) => ({
    names,
    from: join(dirname(path), from),
  }));
const components = importsOf(`${esm}/index.mjs`);

/** Of a component and of those it consists of, by what its module imports; not of what only stands beside it, as `Checkbox.Card`. */
function stylesOf(path: string, seen = new Set<string>()): string[] {
  if (seen.has(path)) return [];
  seen.add(path);
  if (!path.endsWith('.module.mjs')) return importsOf(path).flatMap(({ from }) => stylesOf(from, seen));
  return /^(components|utils)\/\w+\/[\w.]+$/.test(path.slice(esm.length + 1)) ? [basename(path, '.module.mjs')] : [];
}
const neededBy = (name: string) =>
  components.filter(({ names }) => new RegExp(`\\b${name}\\b`).test(names)).flatMap(({ from }) => stylesOf(from));

/** A page that is opened directly has the styles that its own files import, and no others. */
const missing = globSync('apps/web/src/**/*.tsx', { exclude: ['**/*.test.tsx'] }).flatMap((path) => {
  const source = readFileSync(path, 'utf8');
  const imported = [...everywhere, ...importedStyles(source)];
  const [, names = ''] = /import \{([^}]*)\} from '@mantine\/core'/.exec(source) ?? [];
  const used = names.match(/\b[A-Z]\w*/g) ?? [];
  return [...new Set(used.flatMap(neededBy))]
    .filter((name) => !imported.includes(name))
    .map((name) => `${path}: does not import '@mantine/core/styles/${name}.layer.css' for what it uses`);
});

const problems = [...borrowed, ...missing];
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
