import {
  type Notification,
  notificationPath,
  notificationWords,
  type Project,
  type ProjectDetail,
  type Publication,
} from '@atoll/contract';
import { expect, test } from 'vitest';
import { createSharedApp } from '../../test/test-app.ts';
import { markdown, notebook, notebookIn, publish } from './test-publications.ts';

const app = await createSharedApp();

type List<Entry> = { entries: Entry[] };

const projectOf = async (token: string, id: string) =>
  (await app.get<ProjectDetail>(token, `/v1/notebooks/${id}`)).body;
const listedSlugs = async (token: string, access_level: string) =>
  (await app.get<List<Publication>>(token, '/v1/publications', { access_level })).body.entries.map(({ slug }) => slug);
async function publicationNews(token: string): Promise<(string | null)[][]> {
  await app.settled();
  const { entries } = (await app.get<List<Notification>>(token, '/v1/notifications')).body;
  return entries
    .filter(({ entity }) => entity?.type === 'publication')
    .map((each) => [each.type, notificationWords(each), notificationPath(each)]);
}

test('a project shows that it is published, to its visitors too, until nothing of it is public', async () => {
  const [ada, bob] = [await app.person(), await app.person()];
  const { projectId, fileId } = await notebookIn(app, ada.token, notebook(markdown('x')), {
    visibility: 'public',
    hides_source: true,
  });
  const unpublished = {
    published_at: null,
    public_url_slug: null,
    is_published: false,
    published_clone_id: null,
  };
  expect(await projectOf(bob.token, projectId)).toMatchObject(unpublished);
  const { id, slug, published_at } = (
    await publish(app, ada.token, fileId, { access_level: 'public', execution_enabled: true })
  ).body;
  const published = { published_at, public_url_slug: slug, is_published: true };
  expect(await projectOf(bob.token, projectId)).toMatchObject({ ...published, published_clone_id: null });
  const copy = await app.post<{ project_id: string }>(bob.token, `/v1/publications/${id}/copy`);
  expect((await projectOf(bob.token, projectId)).published_clone_id).toBe(copy.body.project_id);
  expect((await projectOf(ada.token, projectId)).published_clone_id).toBeNull();
  const mine = await app.get<List<Project>>(ada.token, '/v1/notebooks');
  expect(mine.body.entries[0]).toMatchObject({ id: projectId, published_at, public_url_slug: slug });
  const shown = await app.get<List<Publication>>(bob.token, `/v1/publications/of_project/${projectId}`);
  expect(shown.body.entries.map((each) => each.slug)).toEqual([slug]);
  await publish(app, ada.token, fileId, { access_level: 'draft' });
  expect(await projectOf(bob.token, projectId)).toMatchObject(unpublished);
});

test('collaborators find what is shared with them, by name or through a team, and nobody else does', async () => {
  const [ada, bob, cleo, eve] = [await app.person(), await app.person(), await app.person(), await app.person()];
  const { projectId, fileId } = await notebookIn(app, ada.token, notebook(markdown('x')));
  await app.share(ada.token, projectId, bob.id, ['edit', 'publish']);
  const team = await app.post<{ id: string }>(cleo.token, '/v1/teams', { name: `Tides ${cleo.id.slice(0, 8)}` });
  await app.post(ada.token, `/v1/notebooks/${projectId}/team_permissions`, {
    team_id: team.body.id,
    permissions: ['view', 'view_publications'],
  });
  const { slug } = (await publish(app, ada.token, fileId, { access_level: 'collaborator_shared' })).body;
  for (const { token } of [ada, bob]) expect(await listedSlugs(token, 'collaborator_shared')).toEqual([slug]);
  expect(await listedSlugs(eve.token, 'collaborator_shared')).toEqual([]);
  expect(await listedSlugs(bob.token, 'public')).not.toContain(slug);
  const [news] = await publicationNews(bob.token);
  expect(news).toEqual([
    'publication_shared',
    expect.stringContaining('shared “Tides of the north” with you'),
    `/publications/notebooks/${slug}`,
  ]);
  expect(await publicationNews(eve.token)).toEqual([]);
  await publish(app, ada.token, fileId, { access_level: 'draft' });
  expect(await listedSlugs(eve.token, 'collaborator_shared')).toEqual([]);
});

test('followers and subscribers of a tag are notified once, however often it is published', async () => {
  const [ada, bob, cleo] = [await app.person(), await app.person(), await app.person()];
  const tag = `Surge ${ada.id.slice(0, 8)}`;
  await app.post(bob.token, `/v1/users/${ada.id}/follow`);
  const { projectId, fileId } = await notebookIn(app, ada.token, notebook(markdown('x')));
  await app.post(ada.token, `/v1/notebooks/${projectId}/tags`, { names: [tag] });
  const tags = await app.get<List<{ id: string }>>(null, '/v1/tags', { search: tag });
  await app.post(cleo.token, '/v1/tag_subscriptions', { tag_id: tags.body.entries[0]?.id });
  const { slug } = (
    await publish(app, ada.token, fileId, { access_level: 'link_shared', title: 'Surge of the year', tags: [tag] })
  ).body;
  expect(await publicationNews(bob.token)).toEqual([]);
  for (const access_level of ['public', 'draft', 'public']) await publish(app, ada.token, fileId, { access_level });
  await publish(app, ada.token, fileId, { publish_version: true });
  const path = `/publications/notebooks/${slug}`;
  expect(await publicationNews(bob.token)).toEqual([
    ['publication_followed', expect.stringContaining('published “Surge of the year”'), path],
  ]);
  expect(await publicationNews(cleo.token)).toEqual([
    ['publication_tagged', expect.stringContaining(`tagged ${tag}`), path],
  ]);
  expect(await publicationNews(ada.token)).toEqual([]);
});

test('the owner is an author, is found as one, and may leave the authors', async () => {
  const [ada, bob] = [await app.person(), await app.person()];
  const { id } = await app.project(ada.token);
  await app.share(ada.token, id, bob.id, ['edit']);
  const authored = async () =>
    (
      await app.get<List<Project>>(ada.token, '/v1/notebooks', { mode: 'my', mode_filter: ['authored'] } as never)
    ).body.entries.map((project) => project.id);
  expect(await authored()).toEqual([id]);
  const change = (token: string) =>
    app.patch(token, `/v1/notebooks/${id}`, { is_owner_author: false }).then(({ status }) => status);
  expect(await change(bob.token)).toBe(403);
  expect((await projectOf(bob.token, id)).authors).toMatchObject([{ id: ada.id }]);
  expect(await change(ada.token)).toBe(200);
  expect((await projectOf(bob.token, id)).authors).toEqual([]);
  expect(await authored()).toEqual([]);
});
