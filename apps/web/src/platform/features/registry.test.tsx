import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ProfilePage } from '../../features/account/components/profile-page.tsx';
import { parsePageSearch } from '../../features/files/model.ts';
import { ProjectsPage } from '../../features/projects/list/projects-page.tsx';
import { parseListSearch } from '../../features/projects/model.ts';
import { NewProjectDialog } from '../../features/projects/new/new-project-dialog.tsx';
import { ProjectPage } from '../../features/projects/page/project-page.tsx';
import { Shell } from '../../features/shell/components/shell.tsx';
import { registry as product } from '../../features.ts';
import { fileOf, projectOf, renderPages, sessionOf } from '../../test/render.tsx';
import { sampleFeature } from '../../test/sample/feature.ts';
import { FeatureRegistry } from './registry.ts';

/** The parts of the product that the places need; later features change nothing here. */
const needed = ['home', 'projects', 'notebook', 'comments', 'files', 'account', 'theme'];
const registry = new FeatureRegistry([...product.features.filter(({ name }) => needed.includes(name)), sampleFeature]);
const on = { enabled: true, reason: null };
const session = (isOn: boolean, isAdmin = false) =>
  sessionOf({
    is_admin: isAdmin,
    features: { projects: on, canvas: { ...on, enabled: isOn } } as NonNullable<
      ReturnType<typeof sessionOf>['features']
    >,
  });

const pages = {
  '/projects/': { component: ProjectsPage, validateSearch: parseListSearch },
  '/projects/$projectId': { component: () => <ProjectPage projectId="p" />, validateSearch: parsePageSearch },
  '/profile': { component: () => <ProfilePage section="samples" /> },
  '/new': { component: () => <NewProjectDialog asked={1} /> },
};
const files = [fileOf('plan.sample'), fileOf('readme.md')];
const answers = {
  '/v1/notebooks/p': projectOf(),
  '/v1/notebooks/p/files-dirs': { files, directories: [] },
  '/v1/notebooks': { entries: [], total: 0, page: 1, page_size: 48 },
};

const open = (at: string, isOn = true, isAdmin = false) =>
  renderPages({ registry, session: session(isOn, isAdmin), frame: Shell, pages, at, answers });

describe('a feature that is only in the list', () => {
  it('is in the navigation, for admins with its page for them', async () => {
    await open('/projects', true, true);
    const main = await screen.findByRole('navigation', { name: 'Main' });
    expect([...main.querySelectorAll('a')].map((link) => link.textContent)).toEqual([
      'Home',
      'Projects',
      'Samples',
      'Theme',
      'Sample limits',
    ]);
  });

  it('is nowhere while its flag is off', async () => {
    await open('/projects', false);
    expect(await screen.findByRole('link', { name: 'Mine' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Samples' })).toBeNull();
  });

  it('has its commands in the palette', async () => {
    await open('/projects');
    fireEvent.click(await screen.findByRole('button', { name: /Search and commands/ }));
    expect(await screen.findByText('Take a sample')).toBeTruthy();
    expect(screen.getByText('Account: Sample settings')).toBeTruthy();
  });

  it('has a tab beside the projects', async () => {
    await open('/projects?tab=samples');
    const tab = await screen.findByRole('link', { name: 'Samples', current: 'page' });
    expect(tab.getAttribute('href')).toContain('tab=samples');
    expect(await screen.findByText('All samples')).toBeTruthy();
  });

  it('has a page in the settings', async () => {
    await open('/profile');
    expect(await screen.findByText('All samples')).toBeTruthy();
  });

  it('opens its kind of file in its view, with its panel beside', async () => {
    await open('/projects/p?file=plan.sample&panel=sample-notes');
    expect(await screen.findByText('Board of plan.sample, to be edited')).toBeTruthy();
    expect(await screen.findByText('Notes on plan.sample of Project')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Sample notes', pressed: true })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Sample notes' }));
    await waitFor(() => expect(screen.queryByText('Notes on plan.sample of Project')).toBeNull());
  });

  it('has no panel beside other files', async () => {
    await open('/projects/p?file=readme.md&panel=sample-notes');
    expect(await screen.findByRole('button', { name: 'Version history' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Sample notes' })).toBeNull();
  });

  it('is offered as a new project', async () => {
    await open('/new');
    expect(await screen.findByText('Canvas')).toBeTruthy();
    expect(screen.queryByText('Pipeline')).toBeNull();
  });
});
