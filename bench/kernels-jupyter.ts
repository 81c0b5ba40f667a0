import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { startJupyterServer } from '../packages/kernels/src/gateway/test/jupyter-server.ts';

/** A kernel of a Jupyter Server, started by REST and driven by its websocket. */
export async function startByJupyter() {
  const server = await startJupyterServer();
  const headers = { authorization: `token ${server.token}` };
  const made = await fetch(`${server.url}api/kernels`, { method: 'POST', headers, body: '{"name":"python3"}' });
  const { id } = (await made.json()) as { id: string };
  const session = randomUUID();
  const address = `${server.url.replace('http', 'ws')}api/kernels/${id}/channels?session_id=${session}`;
  const socket = new WebSocket(address, { headers });
  await once(socket, 'open');
  return {
    /** Until both its reply and its idle have come. */
    execute(code: string): Promise<void> {
      const msg_id = randomUUID();
      const header = { msg_id, msg_type: 'execute_request', session, username: 'bench', date: '', version: '5.3' };
      const content = { code, silent: false, store_history: true, user_expressions: {}, allow_stdin: false };
      return new Promise((resolve) => {
        let left = 2;
        socket.on('message', function hear(data) {
          const message = JSON.parse(String(data));
          if (message.parent_header.msg_id !== msg_id) return;
          if (message.msg_type === 'execute_reply' || message.content.execution_state === 'idle') left--;
          if (left > 0) return;
          socket.off('message', hear);
          resolve();
        });
        socket.send(
          JSON.stringify({ channel: 'shell', header, parent_header: {}, metadata: {}, content, buffers: [] }),
        );
      });
    },
    async close() {
      socket.terminate();
      await fetch(`${server.url}api/kernels/${id}`, { method: 'DELETE', headers });
      await server.close();
    },
  };
}
