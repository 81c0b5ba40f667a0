import { sql } from 'drizzle-orm';
import { publications } from '../table.ts';

/** What everybody may read and find. */
export const isShown = sql`(${publications.accessLevel} = 'public' and ${publications.versionId} is not null and not ${publications.isBinned})`;
