import type { Project, ProjectPermission } from '@atoll/contract';
import { afterAll, beforeAll } from 'vitest';
import { projectGrants } from '../../features/projects/table.ts';
import { createTestApp, type TestApp } from '../test-app.ts';

export interface List {
  entries: Project[];
  total: number;
  page: number;
  page_size: number;
}

export const names = (answer: { body: List }) => answer.body.entries.map((project) => project.name);

/** One for all tests that look at their own projects only: opening a database takes longer than any of them. */
export let shared: TestApp;

export async function grant(
  { database }: TestApp,
  projectId: string,
  userId: string,
  permissions: ProjectPermission[],
  isAuthor = false,
) {
  await database.db.insert(projectGrants).values({ projectId, userId, permissions, isAuthor, createdAt: new Date() });
}

export function useSharedApp(): void {
  beforeAll(async () => {
    shared = await createTestApp({ keepOpen: true });
  });
  afterAll(() => shared.close());
}
