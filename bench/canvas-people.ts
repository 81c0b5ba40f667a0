import { Socket } from 'phoenix';
import { WebSocket } from 'ws';
import { type LobbyMeta, topicName, topics } from '../packages/contract/src/index.ts';
import type { Ours } from './notebook-peers.ts';
import { p95, type Result } from './report.ts';

const people = 10;
const steps = 75;
/** As often as the board tells it. */
const everyMs = 40;

/** Ten people drag at once: how long each step of each takes until all others have it or a later one, p95. */
export async function dragging(ours: Ours, content: string): Promise<Result> {
  const { projectId, fileId } = await ours.addTo('dragged.mpsw', content);
  const url = `${ours.url.replace('http', 'ws')}/api/atoll/socket`;
  const sent = new Map<string, number>();
  const times: number[] = [];
  const windows = await Promise.all(
    Array.from({ length: people }, async (_, own) => {
      const { token } = await ours.call<{ token: string }>('POST', '/v1/me/socket_token', {});
      const socket = new Socket(url, { transport: WebSocket, authToken: token });
      socket.connect();
      const channel = socket.channel(topicName(topics.collaboratorLobby, { id: projectId }));
      const newest = new Map<string, number>();
      channel.on('presence_diff', ({ joins }: { joins: Record<string, { metas: LobbyMeta[] }> }) => {
        const now = performance.now();
        for (const { metas } of Object.values(joins))
          for (const { board } of metas)
            for (const [id, step] of board?.moving ?? []) {
              if (id === `n${own}`) continue;
              // Places that were overtaken on the way are as old as the one that came.
              for (let each = (newest.get(id) ?? 0) + 1; each <= step; each++)
                times.push(now - (sent.get(`${id} ${each}`) ?? now));
              newest.set(id, Math.max(step, newest.get(id) ?? 0));
            }
      });
      await new Promise((resolve, reject) => channel.join().receive('ok', resolve).receive('error', reject));
      return { socket, channel };
    }),
  );
  for (let step = 1; step <= steps; step++) {
    windows.forEach(({ channel }, own) => {
      const id = `n${own}`;
      sent.set(`${id} ${step}`, performance.now());
      const moving = [[id, step, 0, 90, 90]];
      channel.push('update_meta', {
        ...{ file_id: fileId, cell_id: null, cursor: null, is_editing: false },
        board: { pointer: [step, 0], view: [0, 0, 1_440, 900], selected: [id], moving },
      });
    });
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  for (const { socket } of windows) socket.disconnect();
  const isComplete = times.length === steps * people * (people - 1);
  return {
    name: 'A drag of each of ten people reaches the others, p95',
    value: isComplete ? p95(times) : Number.NaN,
    unit: 'ms',
    limit: { of: 'value', max: 100 },
  };
}
