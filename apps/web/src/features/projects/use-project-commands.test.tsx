import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { FeatureRegistry } from '../../platform/features/registry.ts';
import { type Call, projectOf, renderPart, sessionOf } from '../../test/render.tsx';
import { useProjectCommands } from './use-project-commands.tsx';

/** What the palette would have to choose from: each label with what else it is found by. */
function Found() {
  const [query, setQuery] = useState('');
  const [projects] = useProjectCommands(query);
  return (
    <>
      <input aria-label="Search" value={query} onChange={(event) => setQuery(event.target.value)} />
      {projects?.actions.map(({ id, label, keywords }) => (
        <p key={id}>{`${label}: ${keywords}`}</p>
      ))}
    </>
  );
}

it('does not pass off what was found before as found for what is typed now', async () => {
  const calls: Call[] = [];
  const answers: Record<string, unknown> = {
    '/v1/notebooks': { entries: [projectOf({ name: 'Haystack' })], total: 1, page: 1, page_size: 6 },
  };
  const features = { projects: { enabled: true, reason: null } } as ReturnType<typeof sessionOf>['features'];
  await renderPart({ registry: new FeatureRegistry([]), session: sessionOf({ features }), answers, calls }, <Found />);
  const search = await screen.findByRole('textbox', { name: 'Search' });
  fireEvent.change(search, { target: { value: 'needle' } });
  expect(await screen.findByText('Haystack: needle')).toBeTruthy();
  answers['/v1/notebooks'] = new Promise(() => {});
  fireEvent.change(search, { target: { value: 'new project' } });
  // The recent projects, and both searches.
  await waitFor(() => expect(calls).toHaveLength(3));
  expect(screen.getByText(/^Haystack/).textContent).toBe('Haystack: ');
});
