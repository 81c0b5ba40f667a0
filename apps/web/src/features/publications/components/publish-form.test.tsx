import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FeatureRegistry } from '../../../platform/features/registry.ts';
import { type Call, projectOf, renderPart, sessionOf } from '../../../test/render.tsx';
import { PublishForm } from './publish-form.tsx';

// A field that grows with its text waits for the fonts, which are not simulated.
Object.defineProperty(document, 'fonts', { value: new EventTarget() });

const on = { enabled: true, reason: null };

async function open(more: Record<string, unknown> = {}): Promise<Call[]> {
  const calls: Call[] = [];
  const answers = {
    '/v1/notebooks/p/files/f/notebook': { cells: [] },
    '/v1/tags': { entries: [] },
    '/v1/publications/files/f': { access_level: 'link_shared', version_number: 1 },
    ...more,
  };
  const session = sessionOf({ features: { publish: on } as never });
  await renderPart(
    { registry: new FeatureRegistry([]), answers, calls, session },
    <PublishForm
      project={projectOf({ name: 'Tides', description: '' })}
      fileId="f"
      publication={null}
      suggestedSlug="tides-2"
      contentKind="notebooks"
      types={['article', 'report', 'dashboard']}
      isRunning={false}
      onClose={() => {}}
    />,
  );
  await screen.findByRole('textbox', { name: 'Title' });
  return calls;
}

const write = (name: string, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });
const address = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Address' }).value;

it('suggests an address, follows the title, and keeps one that was written', async () => {
  await open();
  expect(address()).toBe('tides-2');
  write('Title', 'High Water, Ålesund');
  expect(address()).toBe('high-water-alesund');
  expect(screen.getByText(/\/publications\/notebooks\/high-water-alesund$/)).toBeTruthy();
  write('Address', 'My Own');
  expect(address()).toBe('my-own');
  write('Title', 'Other');
  expect(address()).toBe('my-own');
});

it('publishes a version, and does not let readers run code that is hidden', async () => {
  const calls = await open();
  expect(screen.getByLabelText<HTMLInputElement>('Public').disabled).toBe(true);
  fireEvent.click(screen.getByLabelText(/^Readers can run it/));
  fireEvent.click(screen.getByLabelText(/^Show code/));
  expect(screen.getByLabelText<HTMLInputElement>(/^Readers can run it/).disabled).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Publish' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'PATCH')).toBe(true));
  expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({
    title: 'Tides',
    description: '',
    slug: 'tides-2',
    type: 'article',
    category: 'other',
    access_level: 'link_shared',
    execution_enabled: false,
    execution_copy_project_files: false,
    payload: { shows_code: false, hidden_cell_ids: [] },
    publish_version: true,
  });
});

it('names pictures of other servers before they are published, and keeps them where that is wanted', async () => {
  const address = 'https://far.example/tide.png';
  const pictures = { entries: [{ address, is_kept: false, problem: null }] };
  const calls = await open({ '/v1/publications/files/f/pictures': pictures });
  const keep = await screen.findByLabelText<HTMLInputElement>(/^Keep 1 picture from other servers/);
  expect(keep.checked).toBe(true);
  expect(screen.getByText(address)).toBeTruthy();
  fireEvent.click(keep);
  expect(screen.getByText('Pictures that become links')).toBeTruthy();
  fireEvent.click(keep);
  fireEvent.click(screen.getByRole('button', { name: 'Publish' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'PATCH')).toBe(true));
  expect(calls.find(({ method }) => method === 'PATCH')?.body).toMatchObject({ payload: { keeps_pictures: true } });
});
