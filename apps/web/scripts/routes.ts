import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Generator, getConfig } from '@tanstack/router-generator';

const root = join(import.meta.dirname, '..');

/** Shared with vite.config.ts, so that the checked and the built route tree are the same. */
export const routerOptions = {
  routesDirectory: join(root, 'src/routes'),
  generatedRouteTree: join(root, 'src/routeTree.gen.ts'),
  quoteStyle: 'single' as const,
  addExtensions: true,
  disableLogging: true,
};

/** Each address of the app, as its route writes it: `/users/$username`. */
export async function routePaths(): Promise<string[]> {
  const tree = await readFile(routerOptions.generatedRouteTree, 'utf8');
  const [, list = ''] = /interface FileRoutesByTo \{([^}]*)\}/.exec(tree) ?? [];
  return [...list.matchAll(/^\s*'([^']+)'/gm)].map(([, path = '']) => path);
}

/** The route tree is generated, not kept in git; the type checker needs it before any build has run. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await new Generator({ config: getConfig({ ...routerOptions, target: 'react' }, root), root }).run();
}
