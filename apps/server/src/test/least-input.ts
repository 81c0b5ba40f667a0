import { newId } from '../platform/db/columns.ts';
import { type Call, testPassword } from './test-app.ts';

/** The least that is valid, for the endpoints that need something. */
const bodies = (): Record<string, object> => ({
  'POST /v1/sign_up': { email: `${newId()}@example.org`, password: testPassword, user_name: `u${newId().slice(-12)}` },
  'POST /v1/sign_in/link': { email: 'x@example.org' },
  'POST /v1/password_reset': { email: 'x@example.org' },
  'POST /v1/me/oauthstate': { reason: 'signin' },
  'POST /v1/me/api_keys': { name: 'x' },
  'POST /v1/upload': { client_name: 'x' },
  'POST /v1/notebooks': { name: 'x' },
  'POST /v1/teams': { name: `Team ${newId()}` },
  'POST /v1/tag_subscriptions': { tag_id: newId() },
  'POST /v1/invites': { email: 'x@example.org' },
  'POST /v1/secrets': { key: 'X', secret: 'x' },
  'PATCH /v1/kernels/user': { kernel: null },
  'POST /v1/contact_us': { name: 'x', email: 'x@example.org', message: 'x' },
  'POST /v1/feedback': { message: 'x' },
  'POST /v1/issue_report': { message: 'x' },
  'POST /v1/data_request': { message: 'x' },
  'POST /v1/events': { events: [{ name: 'x', at: new Date().toISOString() }] },
  'POST /v1/tracking': { events: [{ name: 'x', at: new Date().toISOString() }] },
  'PATCH /v1/notebooks/{id}/owner': { user_id: newId() },
  'POST /v1/notebooks/{id}/user_permissions': { user_id: newId(), permissions: ['view'] },
  'PATCH /v1/notebooks/{id}/user_permissions/{permissionId}': { permissions: ['view'] },
  'POST /v1/notebooks/{id}/team_permissions': { team_id: newId(), permissions: ['view'] },
  'PATCH /v1/notebooks/{id}/team_permissions/{permissionId}': { permissions: ['view'] },
  'POST /v1/notebooks/{id}/invites': { email: 'x@example.org', permissions: ['view'] },
  'POST /v1/notebooks/{id}/link/open': { secret: 'x' },
  'POST /v1/notebooks/{id}/comments': { content: 'x' },
  'POST /v1/notebooks/{id}/comments/{commentId}/react': { reaction: 'like' },
  'POST /v1/notebooks/{id}/comments/{commentId}/report': { reason: 'x' },
  'POST /v1/teams/{id}/thumbnail': { upload_id: newId() },
  'PATCH /v1/teams/{id}/members/{userId}': { role: 'guest' },
  'PATCH /v1/teams/{id}/owner': { user_id: newId() },
  'POST /v1/notebooks/{id}/thumbnail': { upload_id: newId() },
  'POST /v1/notebooks/{id}/showcase_media': { upload_id: newId() },
  'PUT /v1/notebooks/{id}/showcase_media': { media_ids: [] },
  'PATCH /v1/notebooks/{id}/files-dirs': { from: 'a', to: 'b' },
  'POST /v1/notebooks/{id}/files-dirs': { path: 'a' },
  'DELETE /v1/notebooks/{id}/files-dirs': { paths: ['a'] },
  'POST /v1/notebooks/{id}/cloned-ids': { file_ids: [], clone_notebook_id: newId() },
  'POST /v1/notebooks/{id}/files-contents': { name: 'a' },
  'POST /v1/projects/{id}/files/{fileId}/export_cell': { cell_id: 'a', type: 'json' },
  'POST /v1/publications/{id}/stats': { stat_name: 'share' },
  'PATCH /v1/notebooks/{id}/files/{fileId}/schedule': { schedule: {} },
  'PATCH /v1/publication_schedules/{id}': { schedule: {} },
  'POST /v1/rate_plan_subscription': { rate_plan_id: newId() },
  'POST /v1/wallet/vouchers/redeem': { code: 'x' },
  'POST /v1/execution_time_extension': { hours: 1 },
  'POST /v1/wallet/transfer': { amount: 1 },
  'POST /v1/wallet/unit_purchase/session': { units: 100 },
  'POST /v1/admin/vouchers': { units: 1 },
  'POST /v1/admin/users/{id}/wallet_transactions': { request_id: newId(), amount: 1, reason: 'x' },
  'POST /v1/admin/users': { email: `${newId()}@example.org` },
  'DELETE /v1/admin/users/{id}': { reason: 'x' },
  'PUT /v1/admin/users/{id}/roles': { role_ids: [] },
  'PATCH /v1/admin/users/{id}/access': { role: 'user' },
  'PATCH /v1/admin/users/{id}/subscription': { plan: 'Free' },
  'POST /v1/admin/users/{id}/suspend': { message: 'x' },
  'POST /v1/admin/users/{id}/mask': { reason: 'x' },
  'PATCH /v1/admin/features': { name: 'rating', is_enabled: null },
  'POST /v1/admin/roles': { name: `Role ${newId()}` },
  'POST /v1/admin/jobs/{id}/cancel': { reason: 'x' },
  'POST /v1/admin/rate_plans': {
    title: 'x',
    price: 1,
    annual_price: 1,
    max_number_of_projects: null,
    max_execution_time: null,
    longest_run: null,
    tier: 'l1',
  },
  'POST /v1/admin/referrals': { code: newId() },
  'POST /v1/admin/trading_bot_channels': { name: 'x', chat_id: 'x' },
  'POST /v1/schedules/preview': {
    schedule: {
      type: 'recurring',
      enabled: true,
      starts_at: '2026-01-01T00:00:00Z',
      time_zone: 'UTC',
      interval_type: 'hour',
      interval_value: 1,
      allowed_days: ['mon'],
    },
  },
});

/** The same for what is asked in an address. */
const queries: Record<string, Record<string, string>> = {
  'GET /v1/oembed': { url: 'http://localhost:4000/x' },
  'GET /v1/rate_plan_subscription/preview': { rate_plan_id: newId() },
  'GET /v1/users': { search: 'xy' },
  'GET /v1/notebooks/{id}/files/{fileId}/data/statistics': { column: 'a' },
  'GET /v1/projects/{id}/files/{fileId}/notebook/outputs': { cell_id: 'a' },
};

/** The least valid request, but for the ids in its path. */
export function leastInput(method: string, path: string): Pick<Call, 'body' | 'query' | 'headers'> {
  const name = `${method} ${path}`;
  if (name === 'PUT /v1/upload/{id}') return { body: 'x', headers: { 'content-type': 'application/octet-stream' } };
  return { body: bodies()[name] ?? (method === 'GET' ? undefined : {}), query: queries[name] };
}
