import { Socket } from 'phoenix';
import { WebSocket } from 'ws';
import { topicName, topics } from '../packages/contract/src/index.ts';
import { notebookOf } from './notebook-files.ts';
import type { Ours } from './notebook-peers.ts';
import { p95, type Result } from './report.ts';

const people = 10;
const edits = 200;

/** Ten windows in one notebook: how long an edit of one takes until all others have it, p95. */
export async function together(ours: Ours): Promise<Result> {
  const address = await ours.addTo('together.ipynb', notebookOf(100));
  const url = `${ours.url.replace('http', 'ws')}/api/atoll/socket`;
  const arrived = new Map<string, number[]>();
  const windows = await Promise.all(
    Array.from({ length: people }, async () => {
      const { token } = await ours.call<{ token: string }>('POST', '/v1/me/socket_token', {});
      const socket = new Socket(url, { transport: WebSocket, authToken: token });
      socket.connect();
      const channel = socket.channel(topicName(topics.notebook, address));
      await new Promise((resolve, reject) => channel.join().receive('ok', resolve).receive('error', reject));
      channel.on('document_changed', ({ cells }: { cells: { source: string }[] }) =>
        arrived.get(cells[0]?.source ?? '')?.push(performance.now()),
      );
      return { socket, channel };
    }),
  );
  const times: number[] = [];
  for (let edit = 0; edit < edits; edit++) {
    const source = `edit ${edit}`;
    arrived.set(source, []);
    const began = performance.now();
    const writer = windows[edit % people]?.channel;
    const push = writer?.push('update_cell_source', {
      request_id: crypto.randomUUID(),
      cell_id: `c${(edit % people) * 2}`,
      source,
    });
    await new Promise((resolve, reject) => push?.receive('ok', resolve).receive('error', reject));
    while ((arrived.get(source)?.length ?? 0) < people) await new Promise((resolve) => setTimeout(resolve, 2));
    times.push(Math.max(...(arrived.get(source) ?? [])) - began);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const { socket } of windows) socket.disconnect();
  return {
    name: 'An edit reaches all ten people in a notebook, p95',
    value: p95(times),
    unit: 'ms',
    limit: { of: 'value', max: 100 },
  };
}
