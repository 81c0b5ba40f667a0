import { globSync } from 'node:fs';
import { dirname } from 'node:path';

/** More than this nobody takes in at a glance: what belongs together gets a folder of its own. Tests count. */
const most = 25;

const mayBeLarger = new Map([
  ['apps/web/src/routes/_shell', 'one file for each address'],
  ['apps/server/src/migrations', 'written by a program'],
  ['bench', 'one file for each command'],
  ['e2e', 'one file for each journey'],
]);

const counts = new Map<string, number>();
const files = globSync('{apps,packages,e2e,bench,scripts}/**/*.*', {
  exclude: (path) => /(^|\/)(node_modules|dist)$|\.gen\.ts$/.test(path),
});
for (const folder of files.map((path) => dirname(path))) counts.set(folder, (counts.get(folder) ?? 0) + 1);

const isLarge = (folder: string) => (counts.get(folder) ?? 0) > most;
const problems = [
  ...[...counts.keys()]
    .filter((folder) => isLarge(folder) && !mayBeLarger.has(folder))
    .map((folder) => `${folder}: ${counts.get(folder)} files, at most ${most}`),
  ...[...mayBeLarger.keys()].filter((folder) => !isLarge(folder)).map((folder) => `${folder}: needs no exception`),
];
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
