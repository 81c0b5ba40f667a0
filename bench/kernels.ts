import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { localKernels } from '../packages/kernels/src/local/provider.ts';
import { installKernelPackages } from '../packages/kernels/src/test-packages.ts';
import { connectionFile, newKey } from '../packages/kernels/src/zmq/connection.ts';
import { BareClient, type KernelAddress } from './kernels-bare.ts';
import { startByJupyter } from './kernels-jupyter.ts';
import { benchLimits, sandboxFolders } from './kernels-sandbox.ts';
import { median, type Result } from './report.ts';

const python = '/usr/bin/python3';

/** Our local kernels beside the least that could do the same. */
export async function kernels(): Promise<Result[]> {
  await installKernelPackages();
  return [...(await sums()), ...(await lines()), await coldStart(), ...(await sandbox())];
}

interface Ran {
  times: number[];
  lines: number;
  peakBytes: number;
}

/** A client in a process of its own, so that neither is slowed by the other's reading. */
export async function worker(kind: 'ours' | 'bare', address?: KernelAddress) {
  const child: ChildProcess = fork(join(import.meta.dirname, 'kernels-worker.ts'));
  const tell = async (command: object) => {
    child.send(command);
    const [answer] = await once(child, 'message');
    return answer;
  };
  const started = (await tell({ does: 'start', kind, address })) as { address: KernelAddress };
  return {
    address: started.address,
    run: (code: string, times: number) => tell({ does: 'run', code, times }) as Promise<Ran>,
    async close() {
      await tell({ does: 'close' });
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function sums(): Promise<Result[]> {
  const ours = await worker('ours');
  const results = await sumsBeside('1+1 to its result', ours.address, async () => (await ours.run('1+1', 20)).times);
  await ours.close();
  return results;
}

/** Ours, a bare client of the same kernel and a Jupyter Server, turn about. */
export async function sumsBeside(
  name: string,
  address: KernelAddress,
  ours: () => Promise<number[]>,
): Promise<Result[]> {
  const bare = await worker('bare', address);
  const jupyter = await startByJupyter();
  const times = { ours: [] as number[], bare: [] as number[], jupyter: [] as number[] };
  for (let round = 0; round < 20; round++) {
    times.ours.push(...(await ours()));
    times.bare.push(...(await bare.run('1+1', 20)).times);
    for (let count = 0; count < 20; count++) {
      const began = performance.now();
      await jupyter.execute('1+1');
      times.jupyter.push(performance.now() - began);
    }
  }
  await bare.close();
  await jupyter.close();
  const base = { name, value: median(times.ours), unit: 'ms' };
  return [
    { ...base, peer: { name: 'a bare ZeroMQ client', value: median(times.bare) }, limit: { of: 'ratio', max: 1.5 } },
    {
      ...base,
      peer: { name: "a Jupyter Server's websocket", value: median(times.jupyter) },
      limit: { of: 'ratio', max: 0.5 },
    },
  ];
}

async function lines(): Promise<Result[]> {
  const count = 100_000;
  const code = `for i in range(${count}): print(i)`;
  const runs = { ours: [] as Ran[], bare: [] as Ran[] };
  for (let round = 0; round < 5; round++) {
    for (const kind of ['ours', 'bare'] as const) {
      const client = await worker(kind);
      runs[kind].push(await client.run(code, 1));
      await client.close();
    }
  }
  const of = (kind: 'ours' | 'bare', take: (ran: Ran) => number) => median(runs[kind].map(take));
  const name = `${count.toLocaleString('en')} lines printed one by one`;
  const more = (of('ours', ({ peakBytes }) => peakBytes) - of('bare', ({ peakBytes }) => peakBytes)) / 1e6;
  const lost = Math.max(...runs.ours.map((ran) => count - ran.lines));
  return [
    {
      name,
      value: of('ours', ({ times }) => times[0] ?? Number.NaN),
      unit: 'ms',
      peer: { name: 'a bare ZeroMQ client', value: of('bare', ({ times }) => times[0] ?? Number.NaN) },
      limit: { of: 'ratio', max: 1.2 },
    },
    { name: `${name}: more memory at the peak`, value: more, unit: 'MB', limit: { of: 'value', max: 50 } },
    { name: `${name}: lost`, value: lost, unit: 'lines', limit: { of: 'value', max: 0 } },
  ];
}

async function coldStart(): Promise<Result> {
  const provider = localKernels();
  await provider.status();
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < 9; round++) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-project-'));
    const options = { spec: 'python3', folder, environment: {}, limits: benchLimits, hasNetwork: false };
    const began = performance.now();
    const kernel = await provider.start(options);
    await kernel.execute({ id: 'first', code: '1+1' });
    times.ours.push(performance.now() - began);
    await kernel.stop();
    await rm(folder, { recursive: true });
    times.bare.push(await bareStart());
  }
  return {
    name: 'cold kernel to its first result',
    value: median(times.ours),
    unit: 'ms',
    peer: { name: 'ipykernel as a bare child process', value: median(times.bare) },
    limit: { of: 'ratio', max: 1.2 },
  };
}

async function bareStart(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const began = performance.now();
  const address = { key: newKey(), prefix: join(folder, 's') };
  const file = join(folder, 'connection.json');
  await writeFile(file, connectionFile(address.key, address.prefix));
  const child = spawn(python, ['-m', 'ipykernel_launcher', '-f', file], { cwd: folder, stdio: 'ignore' });
  const client = new BareClient(address);
  await client.ready();
  await client.execute('1+1');
  const took = performance.now() - began;
  client.close();
  child.kill('SIGKILL');
  await once(child, 'exit');
  await rm(folder, { recursive: true });
  return took;
}

async function sandbox(): Promise<Result[]> {
  const { start, remove } = await sandboxFolders();
  const times = { inside: [] as number[], outside: [] as number[] };
  for (let round = 0; round < 100; round++) {
    let began = performance.now();
    await start(['/bin/true']).exit;
    times.inside.push(performance.now() - began);
    began = performance.now();
    await once(spawn('/bin/true', { stdio: ['ignore', 'pipe', 'pipe'] }), 'exit');
    times.outside.push(performance.now() - began);
  }
  // Processor time, not time: in the sandbox it is nicer to others, which is as it should be.
  const loop = 'import time\nfor i in range(10_000_000): pass\nprint(time.process_time())';
  const loops = { inside: [] as number[], outside: [] as number[] };
  for (let round = 0; round < 5; round++) {
    loops.inside.push(Number(await start([python, '-c', loop]).output));
    loops.outside.push(Number((await promisify(execFile)(python, ['-c', loop])).stdout));
  }
  await remove();
  return [
    {
      name: 'the sandbox, added to the start and end of a process (quickest tenth)',
      value: quick(times.inside) - quick(times.outside),
      unit: 'ms',
      limit: { of: 'value', max: 10 },
    },
    {
      name: 'a loop in the sandbox',
      value: median(loops.inside) * 1000,
      unit: 'ms',
      peer: { name: 'outside', value: median(loops.outside) * 1000 },
      limit: { of: 'ratio', max: 1.1 },
    },
  ];
}

/** Of the quickest tenth: several processes in a row wait for their turn on a busy machine, and that is not the sandbox. */
const quick = (times: number[]) => median(times.sort((a, b) => a - b).slice(0, times.length / 10));
