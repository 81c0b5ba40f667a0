import { defaultPayload } from '@atoll/contract';
import { expect, test } from 'vitest';
import { readNotebook } from '../file/read.ts';
import { notebookAsArticle } from './article.ts';

test('scrolls a formula that can be wider than the page with the keyboard', () => {
  const source = `$$ a = b $$\n\n$$ ${'x + '.repeat(20)} y $$`;
  const cells = [{ id: 'a', cell_type: 'markdown', metadata: {}, source }];
  const { html } = notebookAsArticle(
    readNotebook(JSON.stringify({ cells, metadata: {}, nbformat: 4 })),
    defaultPayload,
  );
  expect(html.match(/<div class="formula"[^>]*>/g)).toEqual([
    '<div class="formula">',
    '<div class="formula" tabindex="0">',
  ]);
});
