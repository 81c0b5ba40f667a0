import { startHost } from '../launch.ts';
import type { HostProcessOptions } from '../options.ts';
import type { OpenRequest } from '../types.ts';

/** A server that starts a run and is killed in the middle of it. */
const code = `
import time
for i in range(200):
    print(i, flush=True)
    time.sleep(0.01)
`;

process.once('message', async ({ options, request }: { options: HostProcessOptions; request: OpenRequest }) => {
  const host = await startHost(options);
  let hasStored = false;
  host.onEvents((events) => {
    const last = events.at(-1)?.sequence ?? 0;
    // Store once: the test does not learn of events stored after the message.
    if (hasStored || !events.some((event) => event.type === 'message' && event.message.type === 'stream')) return;
    hasStored = true;
    host.stored(request.id, last);
    process.send?.(last);
  });
  await host.open(request);
  await host.execute(request.id, { id: '1', code, limitMs: null });
});
