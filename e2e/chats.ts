import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Chats {
  url: string;
  /** What was asked for, by its path. */
  asked: { path: string; body: string }[];
  close(): void;
}

/** A server on loopback that answers as Slack and Telegram do, and keeps what it is sent. */
export async function startChats(): Promise<Chats> {
  const asked: Chats['asked'] = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    asked.push({ path, body: await text(request) });
    const slot = { upload_url: `${url}/slack/upload`, file_id: 'F1' };
    response.end(JSON.stringify({ ok: true, ...(path.endsWith('/files.getUploadURLExternal') ? slot : {}) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, close: () => void server.close() };
}
