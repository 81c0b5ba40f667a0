import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localKernels } from '../packages/kernels/src/local/provider.ts';
import { BareClient, type KernelAddress } from './kernels-bare.ts';
import { benchLimits, startBareSandbox } from './kernels-sandbox.ts';

/** One client of a kernel in a process of its own: ours, or a bare one; does what it is told by messages. */
interface Client {
  execute(code: string): Promise<void>;
  address: KernelAddress;
  lines(): number;
  close(): Promise<void>;
}

type Command =
  | { does: 'start'; kind: 'ours' | 'bare'; address?: KernelAddress }
  | { does: 'run'; code: string; times: number }
  | { does: 'close' };

let client: Client | null = null;

async function ours(): Promise<Client> {
  const runFolder = await mkdtemp(join(tmpdir(), 'bench-'));
  // Root's kernels are somebody else, who has to get there.
  await chmod(runFolder, 0o711);
  const folder = await mkdtemp(join(tmpdir(), 'bench-project-'));
  const provider = localKernels({ runFolder });
  const kernel = await provider.start({
    spec: 'python3',
    folder,
    environment: {},
    limits: benchLimits,
    hasNetwork: false,
  });
  let lines = 0;
  kernel.onMessage(({ type, content }) => {
    if (type === 'stream') lines += String(content.text).split('\n').length - 1;
  });
  const [name = ''] = await readdir(runFolder);
  const connection = join(runFolder, name, 'connection');
  const { key } = JSON.parse(await readFile(join(connection, 'connection.json'), 'utf8'));
  return {
    address: { key, prefix: join(connection, 's') },
    lines: () => lines,
    async execute(code) {
      await kernel.execute({ id: crypto.randomUUID(), code });
    },
    async close() {
      await provider.close();
      for (const one of [runFolder, folder]) await rm(one, { recursive: true, force: true });
    },
  };
}

async function bare(address?: KernelAddress): Promise<Client> {
  const sandbox = address ? null : await startBareSandbox();
  const reached = address ?? (sandbox?.address as KernelAddress);
  const connected = new BareClient(reached);
  await connected.ready();
  await sandbox?.giveWay();
  return {
    address: reached,
    lines: () => 0,
    execute: (code) => connected.execute(code),
    async close() {
      connected.close();
      await sandbox?.close();
    },
  };
}

async function obey(command: Command): Promise<unknown> {
  if (command.does === 'start') {
    client = await (command.kind === 'ours' ? ours() : bare(command.address));
    return { address: client.address };
  }
  if (command.does === 'close') return client?.close();
  const times: number[] = [];
  for (let count = 0; count < command.times; count++) {
    const began = performance.now();
    await client?.execute(command.code);
    times.push(performance.now() - began);
  }
  return { times, lines: client?.lines() ?? 0, peakBytes: process.resourceUsage().maxRSS * 1024 };
}

process.on('message', async (command: Command) => {
  const answer = (await obey(command)) ?? {};
  process.send?.(answer);
  if (command.does === 'close') process.disconnect?.();
});
