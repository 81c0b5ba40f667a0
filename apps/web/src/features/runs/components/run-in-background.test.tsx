import { Menu } from '@mantine/core';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FeatureRegistry } from '../../../platform/features/registry.ts';
import { type Call, fileOf, projectOf, renderPart } from '../../../test/render.tsx';
import { RunInBackground } from '../run-in-background.tsx';

const page = (...entries: object[]) => ({ entries, total: entries.length, page: 1, page_size: 100 });
const grant = (...permissions: string[]) => ({ id: 'g', user: { id: 'zoe' }, permissions });

async function openMenu(over: Record<string, unknown> = {}) {
  const calls: Call[] = [];
  const answers = {
    '/v1/notebooks/p': projectOf(),
    '/v1/notebooks/p/files-dirs': { files: [fileOf('a.ipynb')], directories: [] },
    '/v1/secrets': page({ id: 's', key: 'TOKEN' }),
    '/v1/notebooks/p/user_permissions': page(grant('view', 'edit')),
    '/v1/notebooks/p/team_permissions': page(),
    '/v1/notebooks/p/runs': { id: 'r', ended_at: null },
    ...over,
  };
  const queryClient = await renderPart(
    { registry: new FeatureRegistry([]), answers, calls },
    <Menu opened>
      <Menu.Dropdown>
        <RunInBackground projectId="p" fileId="a.ipynb" />
      </Menu.Dropdown>
    </Menu>,
  );
  const run = await screen.findByRole('menuitem', { name: 'Run in background' });
  const started = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  return { calls, queryClient, run, started };
}

const choice = { name: /^Use my secrets/ };

it('asks for secrets where other people can change the project, for one run', async () => {
  const { run, started } = await openMenu();
  const secrets = await screen.findByRole('menuitemcheckbox', choice);
  expect(secrets.getAttribute('aria-checked')).toBe('false');
  fireEvent.click(secrets);
  fireEvent.click(run);
  await waitFor(() => expect(started()).toEqual([{ project_file_id: 'a.ipynb', with_secrets: true }]));
});

it('leaves secrets out unless they are asked for', async () => {
  const { run, started } = await openMenu();
  await screen.findByRole('menuitemcheckbox', choice);
  fireEvent.click(run);
  await waitFor(() => expect(started()).toEqual([{ project_file_id: 'a.ipynb' }]));
});

const owner = { ...projectOf().owner, id: 'zoe' };

it.each([
  ['there are no secrets', '/v1/secrets', page()],
  ['others can only look', '/v1/notebooks/p/user_permissions', page(grant('view'))],
  ['the project is not mine', '/v1/notebooks/p', projectOf({ owner })],
])('does not ask where %s', async (_, path, answer) => {
  const { calls, queryClient } = await openMenu({ [path]: answer });
  await waitFor(() => {
    expect(calls.map((call) => call.path)).toContain(path);
    expect(queryClient.isFetching()).toBe(0);
  });
  expect(screen.queryByRole('menuitemcheckbox', choice)).toBeNull();
});
