import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migratedFolder } from '../../apps/server/src/test/server-process.ts';
import { root } from '../steps.ts';
import { type ListLine, ProductCopy } from './product-copy.ts';

/** Follows docs/recipes/add-a-feature.md: what is not said there must not be needed here. */
const fixtures = join(import.meta.dirname, 'fixtures');
const name = 'bookmarks';

const inContract: ListLine = {
  path: 'packages/contract/src/index.ts',
  opening: 'const features = {',
  name: 'bookmarksContract',
  line: 'bookmarks: bookmarksContract,',
  from: './bookmarks/contract.ts',
};
const inOtherLists: ListLine[] = [
  {
    path: 'packages/contract/src/declarations.ts',
    opening: 'const declarations = [',
    name: 'bookmarksDeclaration',
    from: './bookmarks/declaration.ts',
  },
  {
    path: 'packages/contract/src/notifications/declared.ts',
    opening: 'const declarations = [',
    name: 'bookmarksNotifications',
    from: '../bookmarks/notifications.ts',
  },
  {
    path: 'apps/server/src/features/index.ts',
    opening: 'export const features = [',
    name: 'bookmarksFeature',
    from: './bookmarks/index.ts',
  },
  {
    path: 'apps/web/src/features.ts',
    opening: 'export const registry = new FeatureRegistry([',
    name: 'bookmarksFeature',
    from: './features/bookmarks/feature.ts',
  },
];

/** In one thread it takes half of the processor's time. */
const types = (project: string) => ['-p', project, '--singleThreaded', '--pretty', 'false'];

test('a feature is three folders, a page and a line in each list', async () => {
  const product = new ProductCopy();
  onTestFinished(() => product.remove());
  product.add(join(fixtures, 'contract', name), `packages/contract/src/${name}`);
  product.add(join(fixtures, 'server', name), `apps/server/src/features/${name}`);
  product.add(join(fixtures, 'web', name), `apps/web/src/features/${name}`);
  product.add(join(fixtures, 'routes'), 'apps/web/src/routes/_shell');
  product.add(join(fixtures, 'try-bookmarks.ts'), 'apps/server/src/try-bookmarks.ts');
  product.add(await migratedFolder(), 'migrated');
  product.write(
    'apps/server/tsconfig.json',
    JSON.stringify({
      extends: '../../tsconfig.base.json',
      include: ['src/features/bookmarks', 'src/try-bookmarks.ts', 'src/**/*.d.ts', '../../packages/*/src/**/*.d.ts'],
    }),
  );

  product.list(inContract);
  const incomplete = await product.run('tsc', ...types('apps/server'));
  for (const complaint of [
    /^packages\/contract\/src\/bookmarks\/endpoints\.ts.*'"bookmark\.list"'/m,
    /^apps\/server\/src\/features\/bookmarks\/notifications\.ts.*'"project_bookmarked"'/m,
    /^apps\/server\/src\/features\/index\.ts.*\n *Property 'bookmarks' is missing/m,
  ])
    expect(incomplete.output).toMatch(complaint);

  for (const line of inOtherLists) product.list(line);
  expect(await product.output('npm', 'run', 'migration', '--', `add_${name}`)).toContain(`_add_${name}.sql`);
  await product.output('tsc', ...types('apps/server'));
  await product.output('node', 'apps/web/scripts/routes.ts');
  await product.output('tsc', ...types('apps/web'));

  expect(JSON.parse(await product.output('node', 'apps/server/src/try-bookmarks.ts'))).toEqual({
    added: 'Read on Sunday',
    listed: ['Tides'],
    live: true,
    words: 'bob bookmarked “Tides”',
    foreign: 404,
    sameBookmark: true,
    removed: [200, 0],
    off: [403, 'disabled_in_configuration'],
  });
});

test('the recipe names every list', () => {
  const recipe = readFileSync(join(root, 'docs/recipes/add-a-feature.md'), 'utf8');
  for (const { path } of [inContract, ...inOtherLists])
    expect(recipe).toContain(path.slice(path.indexOf('/src/') + '/src/'.length));
});
