import type { Publication } from '@atoll/contract/publications/entity';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FeatureRegistry } from '../../../platform/features/registry.ts';
import { renderPart } from '../../../test/render.tsx';
import { ListedPublications } from '../listed-publications.tsx';

const owner = { id: 'u', user_name: 'ada', first_name: '', last_name: '', avatar: null };
const card = {
  slug: 'tides',
  description: '',
  type: 'article',
  access_level: 'public',
  clap_count: 0,
  view_count: 0,
  cover_image: null,
  owner,
} as Partial<Publication>;

it('shows more of what there is, page by page', async () => {
  let page = 0;
  const answers = {
    get '/v1/publications'() {
      const entries = [{ ...card, id: String(page), title: `Tides ${page}` }];
      return { entries, total: 25, page: page++, page_size: 24 };
    },
  };
  await renderPart(
    { registry: new FeatureRegistry([]), answers },
    <ListedPublications of={{ owner: 'u' }}>Nothing</ListedPublications>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByRole('link', { name: 'Tides 1' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Tides 0' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});
