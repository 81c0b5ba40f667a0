import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Chats {
  url: string;
  /** What was asked for, by its path. */
  asked: { path: string; body: string }[];
  /** Somebody writes to the bot in a chat. */
  write(message: { chat: { id: number; type: string; title?: string }; text: string }): void;
  close(): void;
}

/** A server on loopback that answers as Slack and Telegram do, and keeps what it is sent. */
export async function startChats(): Promise<Chats> {
  const asked: Chats['asked'] = [];
  const updates: object[] = [];
  /** Until there is something to read. */
  let written = Promise.withResolvers<void>();
  /** As Telegram does: answered once something was written, or after a while. */
  const updatesFrom = async (offset: number) => {
    const fresh = () => updates.slice(Math.max(0, offset - 1));
    if (fresh().length === 0)
      await Promise.race([written.promise, new Promise((resolve) => setTimeout(resolve, 20_000))]);
    return fresh();
  };
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const body = await text(request);
    if (path.endsWith('/getUpdates')) {
      const result = await updatesFrom((JSON.parse(body) as { offset: number }).offset);
      return void response.end(JSON.stringify({ ok: true, result }));
    }
    asked.push({ path, body });
    const slot = { upload_url: `${url}/slack/upload`, file_id: 'F1' };
    response.end(JSON.stringify({ ok: true, ...(path.endsWith('/files.getUploadURLExternal') ? slot : {}) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    write({ chat, text: said }) {
      const kind = chat.type === 'channel' ? 'channel_post' : 'message';
      updates.push({ update_id: updates.length + 1, [kind]: { text: said, chat } });
      written.resolve();
      written = Promise.withResolvers();
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
