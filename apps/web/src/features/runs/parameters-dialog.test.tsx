import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FeatureRegistry } from '../../platform/features/registry.ts';
import { type Call, fileOf, projectOf, renderPart } from '../../test/render.tsx';
import { ParametersDialog } from './parameters-dialog.tsx';

const cell = (source: string, tags: string[] = []) => ({ type: 'code' as const, source, metadata: { tags } });

async function openDialog(...cells: ReturnType<typeof cell>[]) {
  const calls: Call[] = [];
  const answers = {
    '/v1/notebooks/p': projectOf(),
    '/v1/notebooks/p/files-dirs': { files: [fileOf('a.ipynb')], directories: [] },
    '/v1/notebooks/p/runs': { id: 'r', ended_at: null },
  };
  await renderPart(
    { registry: new FeatureRegistry([]), answers, calls },
    <ParametersDialog projectId="p" fileId="a.ipynb" cells={cells} onClose={() => {}} />,
  );
  await screen.findByRole('dialog', { name: 'Run with parameters' });
  return () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
}

it('runs with the values that were changed, each of its own type', async () => {
  const started = await openDialog(cell('x = 9'), cell('n = 1\nname = "Oslo"\non = True', ['parameters']));
  fireEvent.change(screen.getByRole('textbox', { name: 'n' }), { target: { value: '41' } });
  fireEvent.click(screen.getByRole('switch', { name: 'on' }));
  await waitFor(() => {
    fireEvent.click(screen.getByRole('button', { name: 'Run in background' }));
    expect(started()).toEqual([{ project_file_id: 'a.ipynb', parameters: { n: 41, name: 'Oslo', on: false } }]);
  });
});

it('refuses what is no number where one is meant', async () => {
  const started = await openDialog(cell('n = 1', ['parameters']));
  fireEvent.change(screen.getByRole('textbox', { name: 'n' }), { target: { value: 'many' } });
  fireEvent.click(screen.getByRole('button', { name: 'Run in background' }));
  expect(await screen.findByText('Enter a number')).toBeTruthy();
  expect(started()).toEqual([]);
});

it('says how a notebook gets parameters', async () => {
  await openDialog(cell('n = 1'));
  expect(screen.getByText(/Give the cell that sets them the tag/)).toBeTruthy();
});
