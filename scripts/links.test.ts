import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './steps.ts';

test('links between pages of the documentation lead somewhere', () => {
  const broken = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)]
      .filter(([, link = '']) => !existsSync(join(root, dirname(page), link)))
      .map(([, link]) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});
