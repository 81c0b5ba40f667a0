import { permissions, rawContract } from '@atoll/contract';
import { describe, expect, test } from 'vitest';
import { unitPurchases } from '../features/payments/table.ts';
import { newId } from '../platform/db/columns.ts';
import { contractEndpoints } from '../platform/http/contract-endpoints.ts';
import { leastInput } from './least-input.ts';
import { type Caller, callers, startCallers } from './set-ups/callers.ts';
import { createTestApp } from './test-app.ts';

/**
 * Who may call what: every endpoint × every kind of caller. The expectation of each permission is written down here by
 * hand, apart from the policies, so that a rule that changes by mistake is noticed. An endpoint whose permission has no
 * row fails.
 *
 * yes: let through, which is the endpoint's own answer to the least valid input (`answerOf`) · 401 · 403
 */
type Verdict = 'yes' | 401 | 403;

const everyone: Verdict[] = ['yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes'];
const people: Verdict[] = [401, 401, 403, 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes'];
const identified: Verdict[] = [401, 401, 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes'];
const recent: Verdict[] = [401, 401, 403, 'yes', 403, 403, 'yes', 403, 403, 403];
/** Whoever acts as another person reaches neither their secrets and keys nor their money. */
const inPerson: Verdict[] = [401, 401, 403, 'yes', 'yes', 403, 'yes', 'yes', 'yes', 'yes'];
const asOneself: Verdict[] = [401, 401, 'yes', 'yes', 'yes', 403, 'yes', 'yes', 'yes', 'yes'];
const admins: Verdict[] = [401, 401, 403, 403, 403, 403, 'yes', 403, 403, 'yes'];

const expected: Record<string, Verdict[]> = {
  'system.view': everyone,
  'theme.view': everyone,
  'theme.edit': admins,
  'session.view': everyone,
  'session.open': everyone,
  'session.close': identified,
  'session.list': people,
  'session.end': people,
  'session.connect': identified,
  'account.view': people,
  'account.edit': people,
  'account.secure': recent,
  'account.confirm': people,
  'preferences.view': identified,
  'preferences.edit': identified,
  'api_key.list': inPerson,
  'api_key.create': recent,
  'api_key.revoke': inPerson,
  'passkey.list': people,
  'passkey.create': recent,
  'passkey.delete': recent,
  'user.view': everyone,
  'user.list': people,
  'upload.create': identified,
  'upload.write': identified,
  'asset.view': everyone,
  'site.contact': everyone,
  'slack.notify': everyone,
  'project.list': everyone,
  'project.create': identified,
  'project.view': everyone,
  'project.view_source': everyone,
  'project.view_history': everyone,
  'project.export': everyone,
  'project.export_data': everyone,
  'project.view_analytics': everyone,
  'project.embed': identified,
  'embed.view': everyone,
  'embed.execute': identified,
  'project.edit': identified,
  'project.execute': identified,
  'project.clone': identified,
  'project.delete': identified,
  'project.delete_permanently': identified,
  'project.transfer': identified,
  'kernel.list': identified,
  'kernel.choose': identified,
  'kernel.stats': admins,
  'server.list': identified,
  'server.stop': identified,
  'project.share': people,
  'project.unshare': identified,
  'project.copy_link': identified,
  'project.open_link': identified,
  'secret.list': inPerson,
  'secret.create': inPerson,
  'secret.edit': inPerson,
  'ai.use': inPerson,
  'ai.configure': inPerson,
  'ai.price': admins,
  'quota.view': identified,
  'execution_time.view': people,
  'execution_time.buy': inPerson,
  'wallet.view': inPerson,
  'wallet.redeem': inPerson,
  'wallet.credit': admins,
  'wallet.transfer': inPerson,
  'unit_purchase.view': people,
  'unit_purchase.create': inPerson,
  'payment.notify': everyone,
  'referral.view': people,
  'rate_plan.list': everyone,
  'subscription.view': people,
  'subscription.edit': inPerson,
  'notification.list': identified,
  'mail.choose': everyone,
  'tag_subscription.list': people,
  'tag_subscription.edit': people,
  'tracking.write': identified,
  'team.list': everyone,
  'team.create': people,
  'team.view': everyone,
  'team.edit': people,
  'team.delete': people,
  'team.transfer': people,
  'team.join': people,
  'team.leave': people,
  'access_request.create': people,
  'access_request.view': people,
  'access_request.cancel': people,
  'comment.view': everyone,
  'comment.create': people,
  'comment.edit': people,
  'user.follow': people,
  'user.invite': people,
  'site.write': identified,
  'site.request_data': people,
  'publication.list': everyone,
  'publication.view': everyone,
  'publication.clap': people,
  'publication.execute': identified,
  'publication.publish': people,
  'report.subscribe': people,
  'report.unsubscribe': everyone,
  'schedule.list': people,
  'schedule.view': people,
  'schedule.edit': people,
  'portfolio.list': asOneself,
  'portfolio.create': inPerson,
  'portfolio.view': asOneself,
  'portfolio.edit': inPerson,
  'portfolio.trade': inPerson,
  'strategy.list': everyone,
  'strategy.view': everyone,
  'strategy.test': identified,
  'strategy.run': inPerson,
  'strategy.follow': inPerson,
  'strategy.copy': inPerson,
  'market.view': identified,
  'exchange.list': inPerson,
  'exchange.connect': inPerson,
  'exchange.change': inPerson,
  'trade.view': inPerson,
  'trade.order': inPerson,
  'admin.view': admins,
  'admin.edit': admins,
  'admin.mask': admins,
  'admin.unmask': [401, 401, 403, 403, 403, 'yes', 403, 403, 403, 403],
};

const invalid = [422, 'unprocessable_entity'] as const;
const linkIsGone = [410, 'gone'] as const;

/** What an endpoint answers to those it lets through, where that is not 200, or 404 for ids that were made up. */
const answers: Record<string, readonly [status: number, code?: string]> = {
  // A real request would be refused with 401 for what is in its body; without that it does not get so far.
  'POST /v1/sign_in': invalid,
  'POST /v1/sign_in/link/redeem': invalid,
  'POST /v1/password_reset/redeem': invalid,
  'POST /v1/email_confirmation/redeem': invalid,
  'POST /v1/oauth/{provider}/callback': invalid,
  'POST /v1/sign_in/passkey': invalid,
  'POST /v1/me/passkeys': invalid,
  'PATCH /v1/settings/credentials': invalid,
  'GET /v1/oembed': [404, 'not_found'],
  'GET /v1/rate_plan_subscription/preview': [404, 'not_found'],
  'POST /v1/rate_plan_subscription': [404, 'not_found'],
  'POST /v1/wallet/vouchers/redeem': [404, 'not_found'],
  // Off where it is not configured.
  'POST /v1/wallet/unit_purchase/session': [403, 'forbidden'],
  'POST /v1/wallet/transfer': [403, 'forbidden'],
  // They have no units.
  'POST /v1/execution_time_extension': [403, 'forbidden'],
  'POST /v1/payments/stripe/events': [404, 'not_found'],
  'POST /v1/tag_subscriptions': invalid,
  'DELETE /v1/tag_subscriptions/{tagId}': [200],
  'GET /v1/unsubscribe/{token}/choice': linkIsGone,
  'POST /v1/unsubscribe/{token}': linkIsGone,
  'DELETE /v1/unsubscribe/{token}': linkIsGone,
  'GET /v1/unsubscribe/{token}': linkIsGone,
  'POST /v1/report_unsubscribe/{token}': linkIsGone,
  'POST /v1/publications/{id}/versions/{number}/restore': invalid,
  // Coming soon, and never connected.
  'POST /v1/exchange_connections': invalid,
  'GET /v1/trading/assets/{id}': invalid,
  'PUT /v1/trading/assets/{id}/favorite': invalid,
  'DELETE /v1/trading/assets/{id}/favorite': invalid,
  'POST /v1/trading/orders': [404, 'not_found'],
  'POST /v1/trading/orders/preview': [404, 'not_found'],
  'POST /v1/trading/orders/cancel_all': [404, 'not_found'],
  // There is no model.
  'PUT /v1/ai/prices': [404, 'not_found'],
  'POST /v1/ai/generate': invalid,
  'POST /v1/ai/cell': invalid,
  'POST /v1/ai/sql': invalid,
  'POST /v1/ai/chart': invalid,
  'POST /v1/ai/notebook': invalid,
};

/** Endpoints that refuse in their own right what got past the permission. */
const refusals: Record<string, { callers: readonly Caller[]; answer: readonly [status: number, code: string] }> = {
  'GET /v1/me': { callers: ['badToken'], answer: [401, 'unauthorized'] },
  'POST /v1/me/oauthstate': { callers: ['anonymous', 'badToken'], answer: [401, 'unauthorized'] },
  'POST /v1/slack/events': { callers, answer: [403, 'forbidden'] },
};

const rawEndpoints = Object.values(rawContract)
  .flatMap((group) => Object.values(group))
  .map((endpoint) => ({ ...endpoint, name: endpoint.path }));
const all = [...contractEndpoints(), ...rawEndpoints];

/** What a key may do is what its owner may, less what its scope and the endpoint forbid. */
function verdictFor(endpoint: (typeof all)[number], caller: Caller): Verdict | undefined {
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
  test('does not exist for a stranger, whichever endpoint names it', async () => {
    const app = await createTestApp();
    const [ada, eve] = [await app.person(), await app.person()];
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
});
