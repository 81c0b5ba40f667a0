import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { TestProject } from 'vitest/node';
import { embeddedOptions } from '../platform/db/database.ts';
import { prepareDatabase } from './server-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A dump of a migrated embedded database, so that each file of tests opens one in a moment. */
    embeddedDump: string;
    /** Address of the test run's own PostgreSQL server, with a migrated template database in it. */
    postgresUrl: string;
  }
}

export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-embedded-'));
  await prepareDatabase(folder);
  const client = await PGlite.create(join(folder, 'database'), embeddedOptions);
  const dump = join(folder, 'migrated.tar');
  await writeFile(dump, Buffer.from(await (await client.dumpDataDir('none')).arrayBuffer()));
  await client.close();
  project.provide('embeddedDump', dump);
  return () => rm(folder, { recursive: true, force: true });
}
