import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { journeysFor, journeysOfFeature, startedByPath, testsFor } from './affected.ts';

const root = join(import.meta.dirname, '..');
const all = readdirSync(join(root, 'e2e')).flatMap((file) => /^(.+)\.test\.ts$/.exec(file)?.[1] ?? []);

test('names journeys and tests that are there, and every journey', () => {
  const named = Object.values(journeysOfFeature).flat();
  expect(named.filter((journey) => !all.includes(journey))).toEqual([]);
  expect(all.filter((journey) => !named.includes(journey))).toEqual(['pages']);
  const paths = startedByPath.flatMap(({ tests }) => tests);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('runs the journeys through a feature, in the web app with the tour of its pages', () => {
  expect(journeysFor(['apps/server/src/features/quota/service/reservations.ts'], all)).toEqual(
    all.filter((journey) => journeysOfFeature.quota?.includes(journey)),
  );
  expect(journeysFor(['apps/web/src/features/theme/colours.tsx'], all)).toContain('pages');
  expect(journeysFor(['e2e/uploads.test.ts', 'docs/words.md', 'apps/web/src/ui/text.test.ts'], all)).toEqual([
    'uploads',
  ]);
});

test('runs all journeys when the change could be anywhere', () => {
  for (const path of ['apps/web/src/ui/button.tsx', 'e2e/fixtures.ts', 'apps/server/src/features/new/service.ts'])
    expect(journeysFor([path], all)).toEqual(all);
});

test('runs tests that start what was changed, and all of them when it is not code', () => {
  expect(testsFor(['README.md', 'apps/web/src/app.tsx', 'e2e/axe.ts'])).toEqual([]);
  expect(testsFor(['packages/storage/src/folder.ts'])).toContain('apps/server/src/test/embedded-process.test.ts');
  expect(testsFor(['packages/storage/src/folder.test.ts'])).toEqual([]);
  expect(testsFor(['apps/server/src/migrations/0001_x.sql'])).toBeNull();
  expect(testsFor(['package-lock.json'])).toBeNull();
});
