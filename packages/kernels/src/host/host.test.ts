import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fakeKernels } from '../fake/provider.ts';
import type { KernelLimits } from '../port.ts';
import { createHost, type Host } from './host.ts';
import type { HostEvent, OpenRequest } from './types.ts';

const limits: KernelLimits = { memoryBytes: 1e9, processes: 50, fileBytes: 1e8, folderBytes: 1e9, cpu: 1 };
const request = (id: string): OpenRequest => ({ id, kind: 'fake.fake', environment: {}, limits, hasNetwork: false });
const run = (id: string, code: string, limitMs: number | null = null) => ({ id, code, limitMs });

let folder: string;
let host: Host;
let heard: HostEvent[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'host-test-'));
  host = await createHost({ providers: [fakeKernels()], runFolder: folder });
  heard = [];
  host.onEvents((events) => heard.push(...events));
});
afterEach(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

/** The host's clock runs by itself, and jumps when the test advances it. */
function heldClock() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
}

const finished = (executionId: string) =>
  expect
    .poll(() => heard.find((event) => event.type === 'finished' && event.executionId === executionId))
    .toBeDefined()
    .then(() => heard.find((event) => event.type === 'finished' && event.executionId === executionId));

describe('A kernel host', () => {
  test('opens a kernel once, and runs each execution once', async () => {
    const [one, two] = await Promise.all([host.open(request('a')), host.open(request('a'))]);
    expect(one).toEqual(two);
    await host.execute('a', run('1', 'x = 1'));
    await host.execute('a', run('2', 'x += 1'));
    await host.execute('a', run('2', 'x += 1'));
    await host.execute('a', run('3', 'x'));
    await finished('3');
    const results = heard.flatMap((event) =>
      event.type === 'message' && event.message.type === 'execute_result' ? [event.message.content.data] : [],
    );
    expect(results).toEqual([{ 'text/plain': '2' }]);
  });

  test('publishes no output of a muted execution, and interrupts it when it continues', async () => {
    await host.open(request('a'));
    const code = 'print("before")\nx = input("go on")\ndisplay("y" * 70000000)\nsleep(1000)';
    await host.execute('a', { ...run('1', code), allowsInput: true });
    const types = () => heard.flatMap((event) => (event.type === 'message' ? event.message.type : []));
    await expect.poll(types).toContain('input_request');
    await host.mute('a', '1');
    await host.reply('a', 'x');
    expect(await finished('1')).toMatchObject({ overrun: 'output', result: { status: 'error' } });
    expect(types()).toEqual(['status', 'execute_input', 'stream', 'input_request', 'error', 'status']);
  });

  test('publishes everything in order, and again to a server that comes back', async () => {
    await host.open(request('a'));
    await host.execute('a', run('1', 'for i in range(5):\n    print(i)'));
    await finished('1');
    const before = [...heard];
    expect(before.map(({ sequence }) => sequence)).toEqual(before.map((_, index) => index + 1));
    host.unfollow();
    heard.length = 0;
    await host.execute('a', run('2', 'print("meanwhile")'));
    await expect.poll(async () => (await host.kernels())[0]?.lastSequence).toBeGreaterThan(before.length + 3);
    expect(heard).toEqual([]);
    await host.follow('a', 4);
    await finished('2');
    expect(heard.slice(0, before.length - 4)).toEqual(before.slice(4));
    expect(heard.map(({ sequence }) => sequence)).toEqual(heard.map((_, index) => index + 5));
  });

  test('keeps an ended kernel until its events are stored', async () => {
    const { folder: working } = await host.open(request('a'));
    await host.execute('a', run('1', 'while True: pass'));
    await host.stop('a');
    await expect.poll(() => heard.map(({ type }) => type).slice(-2)).toEqual(['finished', 'ended']);
    expect(await finished('1')).toMatchObject({ result: { status: 'ended', end: { reason: 'stopped' } } });
    expect(await host.kernels()).toMatchObject([{ id: 'a', state: 'ended', folder: working }]);
    host.stored('a', heard.at(-1)?.sequence ?? 0);
    expect(await host.kernels()).toEqual([]);
    await expect(host.execute('a', run('2', '1'))).rejects.toThrow('There is no kernel a');
  });

  test('ends an execution at its time limit, which can be changed', async () => {
    await host.open(request('a'));
    await host.execute('a', run('1', 'while True: pass', 30));
    expect(await finished('1')).toMatchObject({ overrun: 'time', result: { error: { name: 'KeyboardInterrupt' } } });
    await host.execute('a', run('2', 'while True: pass', 3_600_000));
    await host.allow('a', '2', 1);
    expect(await finished('2')).toMatchObject({ overrun: 'time' });
    expect((await host.kernels())[0]?.state).toBe('idle');
  });

  test('does not count or limit the time an execution waits for another', async () => {
    heldClock();
    await host.open(request('a'));
    const before = Date.now();
    await host.execute('a', run('1', 'while True: pass'));
    await host.execute('a', run('2', 'while True: pass', 30));
    await host.execute('a', run('3', '3', 60_000));
    // Longer than the limit of the second execution.
    await vi.advanceTimersByTimeAsync(100);
    await host.allow('a', '2', 20);
    expect(heard.filter(({ type }) => type === 'finished')).toEqual([]);
    await host.interrupt('a');
    expect(await finished('1')).toMatchObject({ overrun: null, result: { error: { name: 'KeyboardInterrupt' } } });
    expect(await finished('2')).toMatchObject({ overrun: 'time', result: { error: { name: 'KeyboardInterrupt' } } });
    const third = await finished('3');
    expect(third).toMatchObject({ overrun: null, result: { status: 'ok' } });
    // One after another: no moment is counted twice, except for rounding.
    const counted = heard.reduce((sum, event) => sum + (event.type === 'finished' ? event.milliseconds : 0), 0);
    expect(counted).toBeLessThanOrEqual((third?.at ?? 0) - before + 5);
  });

  test('counts no time for a waiting execution that never began', async () => {
    heldClock();
    await host.open(request('a'));
    await host.execute('a', run('1', 'while True: pass'));
    await host.execute('a', run('2', 'while True: pass', 1));
    await vi.advanceTimersByTimeAsync(20);
    await host.stop('a');
    expect(await finished('2')).toMatchObject({ overrun: null, milliseconds: 0, result: { status: 'ended' } });
  });

  test('leaves out output that is too large, and the kernel keeps running', async () => {
    await host.open(request('a'));
    await host.execute('a', run('1', 'display("x" * 40000000)\nprint("\\ud800")'));
    await finished('1');
    const texts = heard.flatMap((event) =>
      event.type === 'message' && event.message.executionId === '1' && event.message.type === 'stream'
        ? [event.message.content.text]
        : [],
    );
    expect(texts).toEqual(['An output of 38.1 MB was left out: it is too large.\n', '\ufffd\n']);
  });

  test('gives the reason when a kernel does not start, and ends its waiting executions', async () => {
    await host.open({ ...request('a'), kind: 'fake.unknown' });
    await host.execute('a', run('1', '1'));
    expect(await finished('1')).toMatchObject({ result: { status: 'ended', end: { reason: 'failed_to_start' } } });
    await expect.poll(() => heard.at(-1)).toMatchObject({ type: 'ended', end: { reason: 'failed_to_start' } });
    await expect(host.complete('a', 'x', 1)).rejects.toThrow('did not start');
  });
});
