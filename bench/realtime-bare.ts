import { Pool } from 'pg';
import { WebSocketServer } from 'ws';

/** A bare ws server that answers each message after the same rows were written. */
const pool = new Pool({ connectionString: process.argv[2], max: 4 });
const [userId] = process.argv.slice(3);
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' }, () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : null);
});
server.on('connection', (socket) => {
  socket.on('message', async (data) => {
    const client = await pool.connect();
    const now = new Date();
    const id = crypto.randomUUID();
    await client.query('begin');
    await client.query(
      'insert into tracked_events (id, user_id, name, properties, happened_at, created_at) values ($1, $2, $3, $4, $5, $5)',
      [crypto.randomUUID(), userId, 'bench', '{}', now],
    );
    await client.query(
      'insert into applied_commands (actor_id, request_id, reply, created_at) values ($1, $2, $3, $4)',
      [userId, id, '{"stored":1}', now],
    );
    await client.query('commit');
    client.release();
    socket.send(data, { binary: false });
  });
});
