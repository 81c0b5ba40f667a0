import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kernelConformance } from '../conformance.ts';
import type { Kernel, KernelMessage, KernelProvider, StartOptions } from '../port.ts';
import { testPython } from '../test-python.ts';
import { createGatewayProvider } from './provider.ts';
import { type JupyterServer, startJupyterServer } from './test/jupyter-server.ts';

const options: StartOptions = {
  spec: 'python3',
  folder: await mkdtemp(join(tmpdir(), 'project-')),
  environment: { KERNEL_USERNAME: 'ada' },
  limits: { memoryBytes: 1, processes: 1, fileBytes: 3_000_000, folderBytes: 9_000_000, cpu: 1 },
  hasNetwork: false,
};

let shared: JupyterServer | undefined;
// It cannot report how a process ended, because the gateway has restarted it by then.
kernelConformance('gateway', {
  spec: 'python3',
  lacks: ['exit', 'prepare'],
  open: async () => {
    shared = await startJupyterServer();
    return createGatewayProvider(shared);
  },
});
afterAll(() => shared?.close());

describe('kernels of a Jupyter Server', () => {
  let server: JupyterServer;
  let provider: KernelProvider;
  let kernel: Kernel;
  const messages: KernelMessage[] = [];
  const of = (id: string) => messages.filter(({ executionId }) => executionId === id);
  beforeAll(async () => {
    server = await startJupyterServer([
      // Debian's ipykernel has no subshells yet; the one installed for the tests does.
      { name: 'newer', language: 'python', python: testPython },
      { name: 'other', language: 'R', python: '/usr/bin/python3' },
    ]);
    provider = createGatewayProvider(server);
    kernel = await provider.start(options);
    kernel.onMessage((message) => messages.push(message));
  });
  afterAll(async () => {
    await provider.close();
    await server.close();
    await rm(options.folder, { recursive: true });
  });

  it('lists the kernels that can be started', async () => {
    expect(await provider.specs()).toContainEqual({
      name: 'python3',
      displayName: 'Python 3 (ipykernel)',
      language: 'python',
      interruptMode: 'signal',
    });
    expect((await provider.status()).isAvailable).toBe(true);
    expect((await createGatewayProvider({ ...server, token: 'wrong' }).status()).isAvailable).toBe(false);
    await expect(provider.start({ ...options, spec: 'cobol' })).rejects.toMatchObject({
      end: { reason: 'failed_to_start' },
    });
  });

  it('runs code, one after another, and sends messages before the result', async () => {
    const first = kernel.execute({ id: 'first', code: 'print("hi")\n40 + 2', userExpressions: { x: '1' } });
    const second = kernel.execute({ id: 'second', code: '1 / 0' });
    expect(await first).toMatchObject({ status: 'ok', executionCount: 1, userExpressions: { x: { status: 'ok' } } });
    expect(of('first').map(({ type }) => type)).toEqual([
      'status',
      'execute_input',
      'stream',
      'execute_result',
      'status',
    ]);
    expect(await second).toMatchObject({ status: 'error', error: { name: 'ZeroDivisionError' } });
  });

  it('completes by UTF-16 units, and inspects', async () => {
    await kernel.execute({ id: 'names', code: 'import os' });
    expect(await kernel.complete('"😀"; os.path.joi', 17)).toMatchObject({ matches: ['join'], from: 14, to: 17 });
    expect((await kernel.inspect('os.path.join', 12, 0))?.['text/plain']).toContain('Signature');
    expect(await kernel.inspect('nothing_known', 13, 0)).toBeNull();
  });

  it('asks for input', async () => {
    const forget = kernel.onMessage(({ type }) => type === 'input_request' && kernel.reply('Ada'));
    await kernel.execute({ id: 'input', code: 'print("Hello " + input("Name? "))', allowsInput: true });
    forget();
    expect(of('input').find(({ channel }) => channel === 'stdin')?.content).toMatchObject({ prompt: 'Name? ' });
    expect(of('input').find(({ type }) => type === 'stream')?.content.text).toBe('Hello Ada\n');
  });

  const running = async (id: string) => {
    const result = kernel.execute({ id, code: 'print("now", flush=True)\nwhile True: pass' });
    await new Promise<void>((resolve) => {
      const forget = kernel.onMessage(({ type }) => {
        if (type === 'stream') resolve(forget());
      });
    });
    return { result };
  };

  it('interrupts', async () => {
    const { result } = await running('interrupted');
    await kernel.interrupt();
    expect((await result).error?.name).toBe('KeyboardInterrupt');
  });

  it('restarts with an empty state', async () => {
    await kernel.execute({ id: 'x', code: 'x = 1' });
    const { result } = await running('restarted');
    await kernel.restart();
    expect((await result).end?.reason).toBe('restarted');
    expect((await kernel.execute({ id: 'gone', code: 'x' })).error?.name).toBe('NameError');
  });

  it("has the project's files, and returns the files it writes", async () => {
    const { folder } = options;
    const of = (name: string) => readFile(join(folder, name));
    const large = Buffer.from(Array.from({ length: 2_500_000 }, (_, index) => index % 251));
    await writeFile(join(folder, 'ein “Wort”\u{1F600}.txt'), 'Grüße');
    await writeFile(join(folder, 'large.bin'), large);
    await symlink('/etc/hostname', join(folder, 'link'));
    const code = `import os
os.makedirs('a/b')
with open('a/b/new.bin', 'wb') as f: f.write(open('large.bin', 'rb').read()[::-1])
with open('too large', 'wb') as f: f.truncate(3_000_001)
with open('ein “Wort”\u{1F600}.txt', 'a') as f: f.write(' und Küsse')
os.remove('large.bin')
os.symlink('/etc/hostname', 'theirs')
print(os.path.exists('link'))`;
    expect((await kernel.execute({ id: 'files', code })).status).toBe('ok');
    const said = messages.filter(({ executionId, type }) => executionId === 'files' && type === 'stream');
    expect(said.map(({ content }) => content.text).join('')).toBe(
      'False\ntoo large is too large and stays where the kernel is.\n',
    );
    expect((await readdir(folder)).sort()).toEqual(['a', 'ein “Wort”\u{1F600}.txt', 'link']);
    expect(await of('ein “Wort”\u{1F600}.txt')).toEqual(Buffer.from('Grüße und Küsse'));
    expect(Buffer.compare(await of('a/b/new.bin'), large.reverse())).toBe(0);
    await rm(join(folder, 'a'), { recursive: true });
    await kernel.restart();
    await kernel.execute({ id: 'after', code: 'import os\nprint(os.listdir(), os.environ["KERNEL_USERNAME"])' });
    const after = messages.find(({ executionId, type }) => executionId === 'after' && type === 'stream');
    expect(after?.content.text).toBe("['ein “Wort”\u{1F600}.txt'] ada\n");
  });

  it('fetches the files that code writes while it runs, and keeps answers apart', async () => {
    const other = await provider.start({ ...options, spec: 'newer' });
    const said: KernelMessage[] = [];
    other.onMessage((message) => {
      said.push(message);
      if (message.type === 'input_request') other.reply('Ada');
    });
    const text = () => said.filter(({ type }) => type === 'stream').map(({ content }) => String(content.text));
    const before = `import os, threading, time
ended = []
get_ipython().events.register('post_execute', lambda: ended.append(1))`;
    await other.execute({ id: 'before', code: before });
    const code = `print(os.getcwd(), flush=True)
ended.clear()
with open('early.txt', 'w') as f: f.write('early')
with open('too large', 'wb') as f: f.truncate(3_000_001)
while not os.path.exists('go'): time.sleep(0.05)
os.remove('early.txt')
with open('late.txt', 'w') as f: f.write(input('Name? '))
thread = threading.Thread(target=lambda: print('from a thread', flush=True))
thread.start()
thread.join()
print('done', len(ended))`;
    const result = other.execute({ id: 'live', code, allowsInput: true });
    const early = join(options.folder, 'early.txt');
    await expect.poll(() => readFile(early, 'utf8').catch(() => null)).toBe('early');
    await expect.poll(() => text().length).toBe(2);
    // The running code waits for this file; there is no other way to reach it.
    await writeFile(join(text()[0]?.trim() ?? '', 'go'), '');
    expect((await result).status).toBe('ok');
    expect(existsSync(early)).toBe(false);
    expect(await readFile(join(options.folder, 'late.txt'), 'utf8')).toBe('Ada');
    const notice = 'too large is too large and stays where the kernel is.\n';
    // The fetch must not run the hooks at the end of a cell, such as drawing its figures.
    expect(text().slice(1).join('')).toBe(`${notice}from a thread\ndone 0\n`);
    expect(new Set(said.filter(({ type }) => type === 'stream').map(({ executionId }) => executionId))).toEqual(
      new Set(['live']),
    );

    // After a restart during a fetch, fetching stops.
    const endless = other.execute({ id: 'endless', code: "open('seen', 'w').close()\nwhile True: pass" });
    await expect.poll(() => existsSync(join(options.folder, 'seen'))).toBe(true);
    await other.restart();
    expect((await endless).end?.reason).toBe('restarted');
    // Nothing should happen, so wait for a fixed time: longer than the pause before the next fetch.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    await other.execute({
      id: 'threads',
      code: 'import threading\nprint([t.name for t in threading.enumerate() if "subshell-" in t.name])',
    });
    expect(text().at(-1)).toBe('[]\n');
    await other.stop();
  });

  it('shows a notice that a kernel for another language has no files', async () => {
    const other = await provider.start({ ...options, spec: 'other' });
    const said: unknown[] = [];
    other.onMessage(({ type, content }) => type === 'stream' && said.push(content.text));
    await other.execute({ id: 'one', code: 'print(1)' });
    await other.execute({ id: 'two', code: 'print(2)' });
    expect(said).toEqual(['The project’s files do not reach a kernel for R on another server.\n', '1\n', '2\n']);
    await other.stop();
  });

  it('reports that the process died', async () => {
    const { status, end } = await kernel.execute({ id: 'died', code: 'import os; os._exit(1)' });
    expect([status, end?.reason]).toEqual(['ended', 'crashed']);
    expect((await kernel.execute({ id: 'again', code: '1' })).status).toBe('ok');
  });

  it('stops, and is gone on the server too', async () => {
    const other = await provider.start(options);
    await other.stop();
    expect((await other.ended).reason).toBe('stopped');
    const response = await fetch(`${server.url}api/kernels`, { headers: { authorization: `token ${server.token}` } });
    expect(((await response.json()) as { id: string }[]).map(({ id }) => id)).not.toContain(other.id);
    expect((await other.execute({ id: 'late', code: '1' })).status).toBe('ended');
  });

  it('reports a lost connection after trying to reconnect for a while', async () => {
    const other = createGatewayProvider({ ...server, lostAfterMs: 3000 });
    const lost = await other.start(options);
    const result = lost.execute({ id: 'lost', code: 'import time; time.sleep(1000)' });
    await new Promise<void>((resolve) => {
      const forget = lost.onMessage(({ type }) => type === 'execute_input' && resolve(forget()));
    });
    await server.kill();
    expect((await result).end?.reason).toBe('lost');
    expect((await lost.ended).reason).toBe('lost');
    expect((await other.status()).isAvailable).toBe(false);
    await expect(other.start(options)).rejects.toMatchObject({ end: { reason: 'failed_to_start' } });
  });
});
