import { permissions, rawContract } from '@atoll/contract';
import { describe, expect, test } from 'vitest';
import { unitPurchases } from '../features/payments/table.ts';
import { telegramChats } from '../features/telegram/table.ts';
import { newId } from '../platform/db/columns.ts';
import { contractEndpoints } from '../platform/http/contract-endpoints.ts';
import { leastInput } from './least-input.ts';
import { type Caller, callers, startCallers } from './set-ups/callers.ts';
import { answers, expected, refusals, type Verdict } from './set-ups/expected-answers.ts';
import { createTestApp } from './test-app.ts';

const rawEndpoints = Object.values(rawContract)
  .flatMap((group) => Object.values(group))
  .map((endpoint) => ({ ...endpoint, name: endpoint.path }));
const all = [...contractEndpoints(), ...rawEndpoints];

/** The only calls of a masked admin that store something: they end the mask, or connect the page. */
const whileMasked = ['/v1/admin/unmask', '/v1/log_out', '/v1/me/socket_token'];

/** What a key may do is what its owner may, less what its scope and the endpoint forbid. */
function verdictFor(endpoint: (typeof all)[number], caller: Caller): Verdict | undefined {
  if (caller === 'impersonator' && endpoint.isWriting && !whileMasked.includes(endpoint.path)) return 403;
  const verdict = expected[endpoint.permission]?.[callers.indexOf(caller)];
  if (!caller.endsWith('Key')) return verdict;
  if (endpoint.keyScope === 'never') return 403;
  if (endpoint.keyScope === 'write' && caller === 'readKey') return 403;
  return verdict;
}

function answerOf(name: string, caller: Caller): readonly [status: number, code?: string] {
  const refusal = refusals[name];
  if (refusal?.callers.includes(caller)) return refusal.answer;
  return answers[name] ?? (name.includes('{') ? [404, 'not_found'] : [200]);
}

/** One app for the whole table. */
const shared = await startCallers();

describe('every endpoint for every kind of caller', () => {
  test('has a row in the table', () => {
    expect(all.filter((endpoint) => !expected[endpoint.permission]).map((endpoint) => endpoint.path)).toEqual([]);
    const names = all.map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys({ ...answers, ...refusals }).filter((name) => !names.includes(name))).toEqual([]);
  });

  test.each(all.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s',
    async (name, endpoint) => {
      const given: string[] = [];
      const wanted: string[] = [];
      for (const caller of callers) {
        const { status, body } = await shared.callAs(caller, endpoint);
        const verdict = verdictFor(endpoint, caller);
        const [wantedStatus, wantedCode] = verdict === 'yes' ? answerOf(name, caller) : [verdict, body?.code];
        given.push(`${caller}: ${status} ${status < 400 ? '' : body.code}`);
        wanted.push(`${caller}: ${wantedStatus} ${wantedCode ?? ''}`);
      }
      expect(given).toEqual(wanted);
    },
  );
});

const projectRules = permissions.filter(
  (permission) => permission.startsWith('project.') && !['project.list', 'project.create'].includes(permission),
);

const teamRules = permissions.filter((permission) => permission.startsWith('team.'));

describe('what belongs to somebody else', () => {
  /** A person with one of everything, and the address of it. */
  async function ownerOfEverything() {
    const app = await createTestApp();
    const ada = await app.person();
    const made = async (path: string, body: object, token = ada.token) =>
      (await app.post<{ id: string }>(token, path, body)).body.id;
    const listed = async (path: string) =>
      (await app.get<{ entries: { id: string }[] }>(ada.token, path)).body.entries[0]?.id ?? '';
    const sessionId = await listed('/v1/me/sessions');
    const keyId = await made('/v1/me/api_keys', { name: 'k' });
    const upload = await app.post<{ upload_id: string }>(ada.token, '/v1/upload', { client_name: 'x' });
    const passkeyId = await app.passkeyOf(ada.id);
    const project = await app.project(ada.token, { create_main_file: true });
    const base = `/v1/notebooks/${project.id}`;
    const secretId = await made('/v1/secrets', { key: 'KEY', secret: 'x' });
    const providerId = await made('/v1/ai/providers', { kind: 'openai', name: 'Mine', models: [{ name: 'x' }] });
    const grant = await app.share(ada.token, project.id, (await app.person()).id, ['view']);
    const file = await app.get<{ version_id: string }>(ada.token, `${base}/files/${project.default_file_id}`);
    const teamId = await made('/v1/teams', { name: 'Tide readers' });
    const commentId = await made(`${base}/comments`, { content: 'x' });
    const { token: asking } = await app.person();
    const requestId = await made(`/v1/projects/${project.id}/access_requests`, {}, asking);
    const publication = await app.patch<{ id: string }>(
      ada.token,
      `/v1/publications/files/${project.default_file_id}`,
      { title: 'Not published yet' },
    );
    const schedule = await app.patch<{ schedule: { id: string } }>(
      ada.token,
      `${base}/files/${project.default_file_id}/schedule`,
      { schedule: {} },
    );
    const runId = await made(`${base}/runs`, {});
    await expect.poll(() => listed('/v1/my_usage')).toBeTruthy();
    const serverId = await listed('/v1/my_usage');
    const connectionId = await listed('/v1/exchange_connections');
    const orderId = await made('/v1/trading/orders', {
      ...{ connection_id: connectionId, request_id: newId(), symbol: 'BTC/USDT' },
      ...{ side: 'buy', type: 'market', amount: '0.01' },
    });
    const portfolioId = await made('/v1/portfolios', { name: 'Mine' });
    const strategyId = await made(`${base}/files-contents`, { name: 'main.strat' });
    const purchaseId = newId();
    await app.database.db.insert(unitPurchases).values({
      id: purchaseId,
      userId: ada.id,
      provider: 'stripe',
      units: 100,
      requestId: newId(),
      state: 'pending',
      createdAt: new Date(),
    });
    const chatId = newId();
    await app.database.db.insert(telegramChats).values({
      ...{ id: chatId, userId: ada.id, chatId: '-1', title: 'Tides', kind: 'channel' },
      createdAt: new Date(),
    });
    /** A real id of Ada's for every endpoint that takes one of something she owns. */
    const owned: Record<string, string> = {
      'session.end': sessionId,
      'api_key.revoke': keyId,
      'passkey.delete': passkeyId,
      'upload.write': upload.body.upload_id,
      'secret.edit': secretId,
      'ai.configure': providerId,
      'unit_purchase.view': purchaseId,
      'portfolio.view': portfolioId,
      'portfolio.edit': portfolioId,
      'portfolio.trade': portfolioId,
      'strategy.view': strategyId,
      'strategy.test': strategyId,
      'strategy.run': strategyId,
      'strategy.list': publication.body.id,
      'strategy.follow': publication.body.id,
      'strategy.copy': portfolioId,
      'exchange.change': connectionId,
      'trade.order': orderId,
      'server.stop': serverId,
      ...Object.fromEntries(teamRules.map((permission) => [permission, teamId])),
      'comment.view': project.id,
      'comment.create': project.id,
      'comment.edit': project.id,
      'publication.view': publication.body.id,
      'publication.clap': publication.body.id,
      'publication.execute': publication.body.id,
      'publication.publish': publication.body.id,
      'report.subscribe': publication.body.id,
      'telegram.link': chatId,
      'schedule.view': project.id,
      'schedule.edit': project.id,
      'access_request.view': project.id,
      'access_request.cancel': project.id,
      ...Object.fromEntries(projectRules.map((permission) => [permission, project.id])),
    };
    const pathOf = (path: string, id: string) =>
      path
        .replace('/schedules/{id}', `/schedules/${schedule.body.schedule.id}`)
        .replace('/publication_schedules/{id}', `/publication_schedules/${publication.body.id}`)
        .replace('/files/{id}', `/files/${project.default_file_id}`)
        .replace('{number}', '1')
        .replace('{id}', id)
        .replace('{runId}', runId)
        .replace('{commentId}', commentId)
        .replace('{requestId}', requestId)
        .replace(/\{(inviteId|userId|artifactId|deliveryId|entryId|testId)\}/, newId())
        .replace('{fileId}', project.default_file_id ?? '')
        .replace('{permissionId}', grant.body.id)
        .replace('{versionId}', file.body.version_id);
    const withId = all.filter((endpoint) => endpoint.path.includes('{id}'));
    return { app, ada, owned, pathOf, withId };
  }

  test('does not exist for a stranger, whichever endpoint names it', async () => {
    const { app, ada, owned, pathOf, withId } = await ownerOfEverything();
    const eve = await app.person();
    const elsewhere = new Set([
      'user.view',
      'user.follow',
      'asset.view',
      'access_request.create',
      'embed.view',
      // Favorites of the caller.
      'market.view',
      'trade.view',
      'embed.execute',
      'wallet.credit',
      'admin.view',
      'admin.edit',
      'admin.mask',
      // There is none here; its own test has a stranger ask.
      'wallet.view',
    ]);
    const untried = withId.filter(({ permission }) => !owned[permission] && !elsewhere.has(permission));
    expect(
      untried.map(({ path }) => path),
      'an endpoint takes an id and is not tried here',
    ).toEqual([]);
    for (const { method, path, permission } of withId.filter((endpoint) => owned[endpoint.permission])) {
      // Whoever may not see it is told so only for a request that could have been meant.
      const answer = await app.call(method, pathOf(path, owned[permission] ?? ''), {
        token: eve.token,
        ...leastInput(method, path),
      });
      expect(answer.status, `${method} ${path}`).toBe(404);
    }
    expect((await app.get(ada.token, '/v1/settings')).status).toBe(200);
  });

  test('is read by an admin who acts as its owner, and not changed', async () => {
    const { app, ada, owned, pathOf, withId } = await ownerOfEverything();
    const masked = await app.impersonatedToken(ada.id);
    /** It runs the code of a strategy up to a bar. */
    const running = ['/v1/strategies/{id}/backtests/{testId}/bar'];
    for (const { method, path, permission, isWriting } of withId.filter((endpoint) => owned[endpoint.permission])) {
      const call = (token: string) =>
        app.call(method, pathOf(path, owned[permission] ?? ''), { token, ...leastInput(method, path) });
      const { status } = await call(masked);
      const isHidden =
        isWriting || running.includes(path) || expected[permission]?.[callers.indexOf('impersonator')] === 403;
      expect(status, `${method} ${path}`).toBe(isHidden ? 403 : (await call(ada.token)).status);
    }
    const pages = all.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
    for (const { method, path, permission } of pages) {
      const call = (token: string) => app.call(method, path, { token, ...leastInput(method, path) });
      const isHidden = expected[permission]?.[callers.indexOf('impersonator')] === 403;
      const { status } = await call(masked);
      expect(status, `${method} ${path}`).toBe(isHidden ? 403 : (await call(ada.token)).status);
    }
  });
});
