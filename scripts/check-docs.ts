import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Files and folders that pages name in backticks: whole paths, or the ends of paths, as pages about one folder have them. */
const name =
  /`([\w@.<>/-]*[\w>](?:\.(?:ts|tsx|js|py|css|sql|json|md)|\/))`|`((?:apps|packages|e2e|bench|scripts|docs|features|platform)\/[\w@.<>/-]+)`/g;

/** Not of this repository: in the data folder, made by the build, or the name of a package. */
const elsewhere = new Set([
  'cache/tables/',
  'cache/tables/<sha256>-<format>/',
  'current.json',
  'downloads/',
  'embed-charts.js',
  'ipaddr.js',
  'outbox/',
  'routeTree.gen.ts',
]);

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(path))
  .join('\n');

function isThere(named: string): boolean {
  const pattern = named.replace(/\/$/, '').replaceAll(/[.@]/g, '\\$&').replaceAll(/<\w+>/g, '[^/\\n]+');
  return new RegExp(`(?:^|/)${pattern}(?:/|$)`, 'm').test(files);
}

const missing = globSync(['*.md', 'docs/**/*.md']).flatMap((page) =>
  readFileSync(page, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(name)]
        .map(([, file, path]) => file ?? path ?? '')
        .filter((named) => !named.startsWith('/') && !elsewhere.has(named) && !isThere(named))
        .map((named) => `${page}:${index + 1}: ${named}`),
    ),
);
if (missing.length > 0) {
  console.error(`Pages name what is not there.\n${missing.join('\n')}`);
  process.exit(1);
}

const index = readFileSync('docs/decisions/README.md', 'utf8');
const unlisted = globSync('docs/decisions/2*.md').filter((page) => !index.includes(`](${basename(page)})`));
if (unlisted.length > 0) {
  console.error(`docs/decisions/README.md does not list\n${unlisted.join('\n')}`);
  process.exit(1);
}
