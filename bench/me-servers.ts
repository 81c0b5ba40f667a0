import { PGlite } from '@electric-sql/pglite';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import fastify from 'fastify';
import { createApp } from '../apps/server/src/app.ts';
import { readConfig } from '../apps/server/src/config.ts';
import { sessions } from '../apps/server/src/features/sessions/table.ts';
import { roles, userRoles, users } from '../apps/server/src/features/users/table.ts';
import { embeddedOptions, wrapEmbedded } from '../apps/server/src/platform/db/database.ts';
import { createLimits } from '../apps/server/src/platform/http/limits.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { hashSecret } from '../apps/server/src/platform/secrets.ts';

/** Both servers in one process on one database, so that nothing differs but what stands between request and queries. */
const folder = process.argv[2] ?? '';
const keys = { ATOLL_SECRET_KEYS: '0'.repeat(64) };
const config = readConfig({ ATOLL_DATA: folder, ATOLL_LOG_LEVEL: 'warn', PORT: '0', ...keys });
const client = await PGlite.create(embeddedOptions);
const database = await wrapEmbedded(client);
const app = await createApp({
  config,
  database,
  log: createLog(config.log),
  limits: createLimits(1e6),
  webFolder: null,
});
await app.start();
const ours = await app.http.listen({ port: 0, host: '127.0.0.1' });
const signUp = await app.http.inject({
  method: 'POST',
  url: '/api/atoll/v1/sign_up',
  payload: { email: 'bench@example.org', password: 'a long enough password', user_name: 'bench' },
});
const { token } = signUp.json<{ token: string }>();

// The statements as the product sends them, read off the query builder; the bare handler sends the text.
const builder = drizzle(client);
const sessionQuery = builder
  .select({
    session: sessions,
    role: users.role,
    isGuest: users.isGuest,
    suspendedAt: users.suspendedAt,
    suspensionMessage: users.suspensionMessage,
  })
  .from(sessions)
  .innerJoin(users, eq(users.id, sessions.userId))
  .where(eq(sessions.tokenHash, ''))
  .toSQL().sql;
const userQuery = builder
  .select({ user: users, role: roles })
  .from(users)
  .leftJoin(userRoles, eq(userRoles.userId, users.id))
  .leftJoin(roles, eq(roles.id, userRoles.roleId))
  .where(eq(users.id, ''))
  .toSQL().sql;

const bareServer = fastify();
bareServer.get('/me', async (request) => {
  const bearer = (request.headers.authorization ?? '').slice('Bearer '.length);
  const session = await client.query<{ user_id: string }>(sessionQuery, [hashSecret(bearer)]);
  const user = await client.query(userQuery, [session.rows[0]?.user_id]);
  return user.rows[0];
});
const bare = await bareServer.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ ours: `${ours}/api/atoll/v1/me`, bare: `${bare}/me`, token });
