import type { ActionLog, AdminUserDetail } from '@atoll/contract';
import { expect } from 'vitest';
import type { TestApp } from '../../../test/test-app.ts';

export type List<Entry> = { entries: Entry[]; total: number; is_more?: boolean; next?: string | null };

/** What an admin asks of an app. */
export function adminCalls(app: TestApp, token: () => string) {
  const act = <Body = AdminUserDetail>(method: string, path: string, body: object = {}, as = token()) =>
    app.call<Body>(method, `/v1/admin/${path}`, { token: as, body });
  const get = async <Body>(path: string, query: Record<string, string> = {}) => {
    const answer = await app.call<Body>('GET', `/v1/admin/${path}`, { token: token(), query });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body as Body;
  };
  const done = async <Body = AdminUserDetail>(method: string, path: string, body: object = {}) => {
    const answer = await act<Body>(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body as Body;
  };
  const logsOf = async (subjectId: string) =>
    (await get<List<ActionLog>>('action_logs', { subject_id: subjectId, page_size: '100' })).entries;
  return { get, act, done, logsOf };
}
