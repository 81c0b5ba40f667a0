import { defaultPayload } from '@atoll/contract';
import { expect, test } from 'vitest';
import { readNotebook } from '../file/read.ts';
import { notebookAsArticle } from './article.ts';
import { withKeptPictures } from './kept-pictures.ts';

const tide = 'https://far.example/tide.png';
const fileOf = (source: string, metadata: object = {}) =>
  JSON.stringify({
    cells: [{ id: 'a', cell_type: 'markdown', metadata: {}, source }],
    metadata,
    nbformat: 4,
    nbformat_minor: 5,
  });

test('fills only a part of the article with a picture that is shown without end, and links it after that', () => {
  const pictures = { [tide]: { url: `data:image/png;base64,${'A'.repeat(4 * 1024 ** 2)}` } };
  const file = withKeptPictures(fileOf(`![](${tide})\n`.repeat(50)), pictures);
  const { html } = notebookAsArticle(readNotebook(file), defaultPayload);
  expect([html.match(/<img /g)?.length, html.match(/<a /g)?.length]).toEqual([5, 45]);
});

test('does not turn pictures into words after an anchor that is never closed', () => {
  const { html } = notebookAsArticle(readNotebook(fileOf(`<a name="top">\n\n![High tide](${tide})`)), defaultPayload);
  expect(html).toContain(`<a href="${tide}"`);
});

test('changes nothing else of the file, not even the form of its numbers', () => {
  const file = fileOf('text', { atoll: {} }).replace(
    '"nbformat_minor":5',
    '"scale":1.0,"big":12345678901234567890,"nbformat_minor":5',
  );
  const kept = withKeptPictures(file, { [tide]: { url: 'data:image/png;base64,AAAA' } });
  expect(kept).toContain('"scale":1.0,"big":12345678901234567890');
  expect(withKeptPictures(kept, {})).toBe(file);
});
