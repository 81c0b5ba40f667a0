import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ExecuteRequest, type Kernel, type KernelMessage, type KernelProvider, KernelStartError } from './port.ts';

/** The rules that every provider of Python kernels follows. */

export interface ConformanceOptions {
  open: () => Promise<KernelProvider>;
  spec: string;
  /** Abilities that some providers cannot have. */
  lacks?: ('input' | 'exit' | 'prepare')[];
}

export const testLimits = {
  memoryBytes: 512 * 1024 ** 2,
  processes: 64,
  fileBytes: 100_000_000,
  folderBytes: 200_000_000,
  cpu: 1,
};

const plainOptions = { environment: {}, limits: testLimits, hasNetwork: false };

export async function startOptions(spec: string) {
  const folder = await mkdtemp(join(tmpdir(), 'project-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { ...plainOptions, spec, folder };
}

async function startKernel(provider: KernelProvider, spec: string): Promise<Kernel> {
  const kernel = await provider.start(await startOptions(spec));
  onTestFinished(() => kernel.stop());
  return kernel;
}

/** Runs code and collects its messages. */
export async function run(kernel: Kernel, code: string, request: Partial<ExecuteRequest> = {}) {
  const id = request.id ?? crypto.randomUUID();
  const messages: KernelMessage[] = [];
  const stop = kernel.onMessage((message) => {
    if (message.executionId === id) messages.push(message);
  });
  const result = await kernel.execute({ id, code, ...request });
  stop();
  const stream = (name: string) =>
    messages.map(({ type, content }) => (type === 'stream' && content.name === name ? content.text : '')).join('');
  const shown = messages
    .filter(({ type }) => type === 'execute_result' || type === 'display_data')
    .map(({ content }) => (content.data as Record<string, string>)['text/plain']);
  return { result, messages, types: messages.map(({ type }) => type), out: stream('stdout'), shown };
}

/** Resolves with the first message of a type. */
export function heard(kernel: Kernel, type: string): Promise<KernelMessage> {
  return new Promise((resolve) => {
    const stop = kernel.onMessage((message) => {
      if (message.type !== type) return;
      stop();
      resolve(message);
    });
  });
}

export function kernelConformance(name: string, { open, spec, lacks = [] }: ConformanceOptions): void {
  describe(`kernels: ${name}`, () => {
    let provider: KernelProvider;
    /** Shared by all tests that leave it unchanged: in WebAssembly a start takes longer than any of them. */
    let shared: { kernel: Kernel; folder: string };
    beforeAll(async () => {
      provider = await open();
      const folder = await mkdtemp(join(tmpdir(), 'project-'));
      shared = { folder, kernel: await provider.start({ ...plainOptions, spec, folder }) };
    });
    afterAll(async () => {
      await shared.kernel.stop();
      await provider.close();
      await rm(shared.folder, { recursive: true, force: true });
    });

    const start = () => startKernel(provider, spec);

    test('offers its specs and describes itself', async () => {
      expect(await provider.status()).toMatchObject({ isAvailable: true, detail: expect.stringMatching(/./) });
      expect((await provider.specs()).map((offered) => offered.name)).toContain(spec);
    });

    test('refuses to start an unknown spec', async () => {
      const options = await startOptions('no-such-kernel');
      const error = await provider.start(options).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(KernelStartError);
      expect(error).toMatchObject({ end: { reason: 'failed_to_start' } });
    });

    test('runs code: results, counts, displays, streams in order', async () => {
      const { kernel } = shared;
      expect(kernel.state).toBe('idle');
      const sum = await run(kernel, '1+1');
      expect(sum.result).toMatchObject({ status: 'ok', executionCount: 1, error: null, end: null });
      expect(sum.shown).toEqual(['2']);
      expect(sum.types[0]).toBe('status');
      expect(sum.messages.at(-1)?.content).toEqual({ execution_state: 'idle' });

      const code = 'import sys\nfor i in range(3):\n    print(i)\nprint("é😀")\nprint("wrong", file=sys.stderr)';
      const printed = await run(kernel, code);
      expect(printed.out).toBe('0\n1\n2\né😀\n');
      expect(printed.result.executionCount).toBe(2);
      expect(printed.types).toContain('stream');

      const shown = await run(kernel, 'display("shown")\n"result"');
      expect(shown.types.indexOf('display_data')).toBeLessThan(shown.types.indexOf('execute_result'));
      expect(shown.shown).toEqual(["'shown'", "'result'"]);
    });

    test('an error has a name, a value and a traceback, and does not affect the next execution', async () => {
      const { kernel } = shared;
      const first = run(kernel, '1/0');
      const second = run(kernel, '"next"');
      const { result, types } = await first;
      expect(result).toMatchObject({
        status: 'error',
        error: { name: 'ZeroDivisionError', value: 'division by zero' },
      });
      expect(result.error?.traceback.join('\n')).toContain('ZeroDivisionError');
      expect(types).toContain('error');
      expect((await second).shown).toEqual(["'next'"]);
    });

    test('runs one after another in the order of the calls', async () => {
      const { kernel } = shared;
      const states: string[] = [];
      const stop = kernel.onState((state) => states.push(state));
      const order: string[] = [];
      const calls = ['a = 1', 'a += 1', 'a'].map(async (code) => {
        const ran = await run(kernel, code);
        order.push(code);
        return ran;
      });
      expect((await Promise.all(calls)).at(-1)?.shown).toEqual(['2']);
      expect(order).toEqual(['a = 1', 'a += 1', 'a']);
      expect(states).toEqual(['busy', 'idle']);
      stop();
    });

    test('aborts waiting executions after an error when requested', async () => {
      const { kernel } = shared;
      const failing = run(kernel, '1/0', { stopsOnError: true });
      const waiting = run(kernel, '1');
      expect((await failing).result.status).toBe('error');
      expect((await waiting).result.status).toBe('aborted');
      expect((await run(kernel, '1')).result.status).toBe('ok');
    });

    test('an endless loop can be interrupted', async () => {
      const { kernel } = shared;
      const loop = run(kernel, 'while True: pass');
      await kernel.interrupt();
      expect((await loop).result).toMatchObject({ status: 'error', error: { name: 'KeyboardInterrupt' } });
      expect((await run(kernel, '1+1')).shown).toEqual(['2']);
    });

    if (!lacks.includes('input'))
      test('asks for input and receives the answer', async () => {
        const { kernel } = shared;
        const asked = heard(kernel, 'input_request');
        const running = run(kernel, 'name = input("Who? ")\nname', { allowsInput: true });
        expect(await asked).toMatchObject({ channel: 'stdin', content: { prompt: 'Who? ', password: false } });
        kernel.reply('Ada 😀');
        expect((await running).shown).toEqual(["'Ada 😀'"]);
      });

    test('completes and inspects, with positions in UTF-16 units', async () => {
      const { kernel } = shared;
      await run(kernel, 'meadow = 1\nbrook = 4711');
      const code = '"😀👍"; mead';
      const completion = await kernel.complete(code, code.length);
      expect(completion).toMatchObject({ matches: ['meadow'], from: code.length - 4, to: code.length });
      const inspected = '"😀"; brook';
      expect(JSON.stringify(await kernel.inspect(inspected, inspected.length, 0))).toContain('4711');
      expect(await kernel.inspect('no_such_name', 5, 0)).toBeNull();
    });

    test('restarting forgets everything and ends running executions', async () => {
      const { kernel } = shared;
      await run(kernel, 'kept = 1');
      const begun = heard(kernel, 'execute_input');
      const running = run(kernel, 'while True: pass');
      const waiting = run(kernel, '1');
      await begun;
      await kernel.restart();
      for (const { result } of await Promise.all([running, waiting])) {
        expect(result).toMatchObject({ status: 'ended', end: { reason: 'restarted' } });
      }
      expect(kernel.state).toBe('idle');
      const { result } = await run(kernel, 'kept');
      expect(result).toMatchObject({ status: 'error', executionCount: 1, error: { name: 'NameError' } });
    });

    test('stopping ends it, and later requests get the reason', async () => {
      const kernel = await start();
      const begun = heard(kernel, 'execute_input');
      const running = run(kernel, 'while True: pass');
      await begun;
      await kernel.stop();
      expect(await kernel.ended).toMatchObject({ reason: 'stopped', message: expect.stringMatching(/./) });
      expect(kernel.state).toBe('ended');
      expect((await running).result).toMatchObject({ status: 'ended', end: { reason: 'stopped' } });
      expect((await run(kernel, '1')).result).toMatchObject({ status: 'ended', end: { reason: 'stopped' } });
      await expect(kernel.restart()).rejects.toThrow();
      await kernel.stop();
    });

    if (!lacks.includes('exit'))
      test('gives a reason when it exits by itself', async () => {
        const kernel = await start();
        const { result } = await run(kernel, 'import os\nos._exit(3)');
        expect(result).toMatchObject({ status: 'ended', end: { reason: 'exited', exitCode: 3, signal: null } });
        expect(await kernel.ended).toEqual(result.end);
      });

    if (!lacks.includes('prepare'))
      test('is prepared for a user after it has started', async () => {
        const options = await startOptions(spec);
        const kernel = await provider.start(options);
        onTestFinished(() => kernel.stop());
        const said: KernelMessage[] = [];
        kernel.onMessage((message) => said.push(message));
        await writeFile(join(options.folder, 'helper.py'), 'x = 1');
        const environment = { TOKEN: 'top "secret" \\ \n é😀', EMPTY: '' };
        expect(await kernel.prepare?.({ environment })).toBe(true);
        expect(said).toEqual([]);
        const code =
          'import json, os, helper\nprint(json.dumps([os.environ["TOKEN"], os.environ["EMPTY"], helper.x, chr(128512) in str(In)]))';
        const { out, result } = await run(kernel, code);
        expect(JSON.parse(out)).toEqual([environment.TOKEN, '', 1, false]);
        expect(result.executionCount).toBe(1);
        await kernel.restart();
        expect((await run(kernel, 'import os\nprint(os.environ["TOKEN"])')).out).toBe(`${environment.TOKEN}\n`);
        await expect(kernel.prepare?.({ environment: { X: 'a\0b' } })).rejects.toThrow('refused');
      });

    test('runs parallel executions, or in their turn where there are no subshells', async () => {
      const { kernel } = shared;
      const both = ['1', '2'].map((code) => run(kernel, code, { isParallel: true }));
      expect((await Promise.all(both)).map(({ shown }) => shown)).toEqual([['1'], ['2']]);
    });

    test('reports its usage, or null where it is unknown', async () => {
      const { kernel } = shared;
      const usage = await kernel.usage();
      if (usage) expect(Math.min(usage.memoryBytes, usage.processes)).toBeGreaterThan(0);
    });
  });
}

/** The rules for kernels that run several executions at once. */
export function subshellConformance(name: string, { open, spec }: ConformanceOptions): void {
  test(`kernels: ${name} runs executions beside each other, each with its own outputs, and interrupts all or one of them`, async () => {
    const provider = await open();
    onTestFinished(() => provider.close());
    const kernel = await startKernel(provider, spec);
    expect(kernel.hasSubshells).toBe(true);
    const beside = (code: string, id?: string) =>
      run(kernel, code, { isParallel: true, allowsInput: true, ...(id ? { id } : {}) });
    await beside('import threading, time\nfirst, second = threading.Event(), threading.Event()');
    // Each waits for an event that only the other one sets.
    const both = await Promise.all([
      beside('first.set()\nprint("one", second.wait(60))\n"of one"'),
      beside('second.set()\nprint("two", first.wait(60))\n"of two"'),
    ]);
    expect(both.map(({ out, shown }) => [out, shown])).toEqual([
      ['one True\n', ["'of one'"]],
      ['two True\n', ["'of two'"]],
    ]);
    expect(new Set(both.map(({ result }) => result.executionCount)).size).toBe(2);

    const asked: string[] = [];
    const stop = kernel.onMessage(({ type, executionId }) => {
      if (type !== 'input_request') return;
      asked.push(String(executionId));
      kernel.reply(`to ${executionId}`);
    });
    const answered = await Promise.all(['a', 'b', 'c'].map((id) => beside('input()', id)));
    stop();
    expect(answered.map(({ shown }) => shown)).toEqual([["'to a'"], ["'to b'"], ["'to c'"]]);
    expect(asked.toSorted()).toEqual(['a', 'b', 'c']);

    const begun = (count: number) =>
      new Promise<void>((resolve) => {
        // A text may arrive in pieces.
        const texts = new Map<string, string>();
        const stop = kernel.onMessage(({ type, content, executionId }) => {
          if (type !== 'stream') return;
          texts.set(String(executionId), (texts.get(String(executionId)) ?? '') + content.text);
          if ([...texts.values()].filter((text) => text.includes('begun\n')).length < count) return;
          stop();
          resolve();
        });
      });
    const loops = begun(3);
    const one = beside('print("begun", flush=True)\nwhile True: pass', 'one');
    const two = beside('print("begun", flush=True)\nwhile True: pass', 'two');
    const three = beside('print("begun", flush=True)\ntime.sleep(1000)', 'three');
    await loops;
    const interrupted = { status: 'error', error: { name: 'KeyboardInterrupt' } };
    await kernel.interrupt('two');
    expect((await two).result).toMatchObject(interrupted);
    expect(kernel.state).toBe('busy');
    await kernel.interrupt();
    for (const each of [one, three]) expect((await each).result).toMatchObject(interrupted);
    expect(kernel.state).toBe('idle');
    expect((await beside('1+1')).shown).toEqual(['2']);

    const again = begun(2);
    const going = [1, 2].map(() => beside('print("begun", flush=True)\nwhile True: pass'));
    await again;
    await kernel.restart();
    for (const { result } of await Promise.all(going)) {
      expect(result).toMatchObject({ status: 'ended', end: { reason: 'restarted' } });
    }
    expect((await beside('1+1')).shown).toEqual(['2']);
  });
}
