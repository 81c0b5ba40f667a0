import type { PublicationDetail } from '@atoll/contract/publications/entity';
import { waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { FeatureRegistry } from '../../../platform/features/registry.ts';
import { renderPages } from '../../../test/render.tsx';
import { ReadingPage } from './reading-page.tsx';

afterEach(() => vi.restoreAllMocks());

const publication = {
  id: 'p',
  slug: 'tides',
  title: 'Tides',
  toc: [],
  tags: [],
  related: [],
  authors: [],
  permissions: [],
  clap_count: 0,
  view_count: 0,
  payload: {},
  content_kind: 'notebooks',
  shown_version: { id: 'v', number: 1, is_current: true },
  html: '<h2 id="at-speed-tests"><a id="at-Speed-tests"></a>Speed tests</h2><h2 id="at-Ende">Ende</h2>',
} as unknown as PublicationDetail;

it.each([
  ['#Speed-tests', 'at-Speed-tests'],
  ['#speed-tests', 'at-speed-tests'],
  ['#%45nde', 'at-Ende'],
])('an address that ends in %s is read from there', async (hash, id) => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => {});
  const answers = { '/v1/publications/by_slug/tides': publication };
  const pages = { '/read': { component: () => <ReadingPage slug="tides" /> } };
  await renderPages({ registry: new FeatureRegistry([]), answers, pages, at: `/read${hash}` });
  await waitFor(() => expect(scroll.mock.contexts.map((each) => (each as Element).id)).toContain(id));
});
