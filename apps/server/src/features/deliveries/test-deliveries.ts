import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Delivery, ExternalPublication } from '@atoll/contract';
import { onTestFinished } from 'vitest';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { code, markdown, publishedReport } from '../reports/test-report.ts';
import { hashOf } from './service/recipients.ts';
import { reportConsents } from './table.ts';

export interface List<Entry> {
  entries: Entry[];
  total: number;
}
interface Asked {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}
export type Reply = { status?: number; headers?: Record<string, string>; body?: object } | 'nothing';

/** A server on loopback that answers as it is told and keeps what it was asked. */
export async function startTarget(answer: (asked: Asked) => Reply = () => ({})) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const each = { path: request.url ?? '', headers: request.headers, body: await buffer(request) };
    asked.push(each);
    const reply = answer(each);
    if (reply === 'nothing') return void request.socket.destroy();
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.end(JSON.stringify(reply.body ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, asked };
}

export const cells = [markdown('a', '# Monday\n\nHigh water at **noon**.')];
/** What it shows changes when it is run. */
export const printing = [code('a', 'print("tide")', { 'text/plain': 'old' })];
export const settings = (app: TestApp, token: string, id: string, body: object) =>
  app.call<ExternalPublication>('PATCH', `/v1/external_publications/${id}`, { token, body });
export const send = (app: TestApp, token: string, id: string) =>
  app.call<Delivery>('POST', `/v1/external_publications/${id}/deliveries`, { token });
export const list = async (app: TestApp, token: string, id: string) =>
  (await app.call<List<Delivery>>('GET', `/v1/external_publications/${id}/deliveries`, { token })).body;
/** A report of Ada's that goes to a webhook without a file. */
export async function reportForHook(answer?: (asked: Asked) => Reply, content: object[] = cells) {
  const hook = await startTarget(answer);
  const app = await createTestApp({ env: { ATOLL_PRIVATE_TARGETS: hook.host } });
  const ada = await app.person();
  const { id, fileId } = await publishedReport(app, ada.token, content);
  await settings(app, ada.token, id, { delivery: { attachment: 'none', webhook: { enabled: true, url: hook.url } } });
  return { app, ada, hook, id, fileId };
}
export const minute = 60_000;
/** As if this person had confirmed their address, and these recipients that they want their reports. */
export async function agree(app: TestApp, senderId: string, ...addresses: string[]) {
  await app.confirm(senderId);
  const consents = addresses.map((address) => ({
    senderId,
    addressHash: hashOf(address),
    state: 'confirmed' as const,
  }));
  if (consents.length > 0) await app.db.insert(reportConsents).values(consents);
}
