import { expect, test } from 'vitest';
import { webSources } from './build-web.ts';

test('a change in any package of ours that the web app uses is a reason to build it again', async () => {
  const sources = await webSources();
  for (const file of [
    'apps/web/index.html',
    'apps/web/src/main.tsx',
    'packages/channels/src/client/index.ts',
    'packages/contract/src/index.ts',
    'packages/notebook/src/document.ts',
    'packages/notebook/package.json',
  ]) {
    expect(sources).toContain(file);
  }
  expect(sources.filter((file) => file.includes('.test.') || file.startsWith('apps/server'))).toEqual([]);
});
