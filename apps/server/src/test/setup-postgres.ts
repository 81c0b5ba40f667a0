import { Pool } from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../platform/db/database.ts';
import { startPostgres } from './servers/postgres-server.ts';

export const templateDatabase = 'migrated_template';

export default async function setup(project: TestProject) {
  // It would look after each of hundreds of databases in turn.
  const server = await startPostgres(['autovacuum=off']);
  const pool = new Pool({ connectionString: server.urlOf('postgres') });
  await pool.query(`create database ${templateDatabase}`);
  await pool.end();
  const migrated = await openDatabase({ url: server.urlOf(templateDatabase), dataFolder: '' });
  await migrated.close();
  project.provide('postgresUrl', server.urlOf('postgres'));
  return () => server.stop();
}
