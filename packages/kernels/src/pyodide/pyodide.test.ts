import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { kernelConformance, testLimits } from '../conformance.ts';
import { sampleProcesses, treeOf } from '../local/limits/processes.ts';
import { compiledLibrary } from './library.ts';
import { createPyodideProvider } from './provider.ts';
import { startTestKernel, type TestKernel } from './test/kernel.ts';

kernelConformance('pyodide', { spec: 'pyodide', open: async () => createPyodideProvider() });

it('ends with the process that started it, also in an endless loop', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pyodide-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const options = { spec: 'pyodide', folder, environment: {}, limits: testLimits, hasNetwork: false };
  const script = `
    import { createPyodideProvider } from '${join(import.meta.dirname, 'provider.ts')}';
    const kernel = await createPyodideProvider().start(${JSON.stringify(options)});
    kernel.onMessage(({ type }) => type === 'stream' && console.log('runs'));
    void kernel.execute({ id: 'x', code: 'print("on", flush=True)\\nwhile True: pass' });`;
  const server = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface(server.stdout), 'line');
  const pids = treeOf(server.pid ?? 0, sampleProcesses()).map(({ pid }) => pid);
  expect(pids.length).toBeGreaterThan(1);
  server.kill('SIGKILL');
  await expect.poll(() => sampleProcesses().filter(({ pid }) => pids.includes(pid)).length).toBe(0);
});

describe('the Pyodide kernel', () => {
  let python: TestKernel;
  beforeAll(async () => {
    python = await startTestKernel(async (folder) => {
      await mkdir(join(folder, 'data'));
      await writeFile(join(folder, 'data/in.txt'), 'from the project');
      await writeFile(join(folder, 'helper.py'), 'def double(x): return 2 * x');
      await symlink('/etc/passwd', join(folder, 'link'));
      await symlink('/tmp', join(folder, 'away'));
    });
  });
  afterAll(() => python.close());

  it('sends the messages of a Jupyter kernel, in its order', async () => {
    const { status, executionCount, messages } = await python.run('print("hi")\n[1, 2]');
    expect([status, executionCount]).toEqual(['ok', 1]);
    expect(
      messages.map(({ type, content }) => [
        type,
        content.execution_state ?? content.text ?? content.data ?? content.code,
      ]),
    ).toEqual([
      ['status', 'busy'],
      ['execute_input', 'print("hi")\n[1, 2]'],
      ['stream', 'hi\n'],
      ['execute_result', { 'text/plain': '[1, 2]' }],
      ['status', 'idle'],
    ]);
  });

  it('starts with its compiled library', async () => {
    const { text } = await python.run('import json\nprint("json/__init__.pyc" in json.__loader__._get_files())');
    expect(text).toBe(existsSync(compiledLibrary) ? 'True\n' : 'False\n');
    expect((await python.run('json.loads("{")')).error?.traceback.join('\n')).toContain('_default_decoder');
  });

  it('shows the rich representations of objects', async () => {
    const { messages } = await python.run(`
class Shown:
    def _repr_html_(self): return "<b>x</b>"
    def _repr_png_(self): return b"png"
    def __repr__(self): return "shown"
display(Shown())
handle = display("one", display_id=True)
handle.update("two")
from IPython.display import HTML, clear_output
clear_output(wait=True)
HTML("<i>y</i>")`);
    const shown = messages.filter(({ type }) => !['status', 'execute_input'].includes(type));
    expect(shown[0]?.content.data).toEqual({ 'text/html': '<b>x</b>', 'image/png': 'cG5n', 'text/plain': 'shown' });
    expect(shown.map(({ type }) => type)).toEqual([
      'display_data',
      'display_data',
      'update_display_data',
      'clear_output',
      'execute_result',
    ]);
    expect(shown[1]?.content.transient).toEqual(shown[2]?.content.transient);
    expect(shown[4]?.content.data).toMatchObject({ 'text/html': '<i>y</i>' });
  });

  it('reports errors like IPython, and aborts the executions waiting behind', async () => {
    const failing = python.kernel.execute({
      id: 'failing',
      code: 'def f():\n    return 1 / 0\nf()',
      stopsOnError: true,
    });
    const waiting = python.kernel.execute({ id: 'waiting', code: '1' });
    const { status, error } = await failing;
    expect(status).toBe('error');
    expect(error).toMatchObject({ name: 'ZeroDivisionError', value: 'division by zero' });
    const plain = error?.traceback
      .join('\n')
      .split(/\p{Cc}\[\d+m/u)
      .join('');
    expect(plain).toContain('ZeroDivisionError                         Traceback (most recent call last)');
    expect(plain).toMatch(/Cell In\[\d+\], line 2, in f\n {6}1 def f\(\):\n----> 2 {5}return 1 \/ 0/);
    expect((await waiting).status).toBe('aborted');
    expect((await python.run('this is no Python')).error?.name).toBe('SyntaxError');
    expect((await python.run('import sys; sys.exit(1)')).error?.name).toBe('SystemExit');
  });

  it('awaits at the top level, keeps names, evaluates expressions and keeps silent', async () => {
    expect((await python.run('import asyncio\nawait asyncio.sleep(0)\nx = 41')).status).toBe('ok');
    const { executionCount } = await python.run('x');
    const silent = await python.kernel.execute({
      id: 'silent',
      code: 'x += 1\nx',
      isSilent: true,
      userExpressions: { y: 'x', z: 'nope' },
    });
    expect(silent.userExpressions).toMatchObject({
      y: { status: 'ok', data: { 'text/plain': '42' } },
      z: { status: 'error' },
    });
    expect(python.messages.filter((one) => one.executionId === 'silent').map(({ type }) => type)).toEqual([
      'status',
      'status',
    ]);
    expect((await python.run('x')).executionCount).toBe((executionCount ?? 0) + 1);
    expect((await python.run('import os; print(os.environ["GREETING"])')).text).toBe('hello\n');
  });

  it('asks for input, and can be interrupted while it waits', async () => {
    let wants = (): void => python.kernel.reply('Ada');
    const forget = python.kernel.onMessage(({ type }) => type === 'input_request' && wants());
    const { messages, text } = await python.run('print("Hello " + input("Name? "))');
    expect(messages.find(({ channel }) => channel === 'stdin')?.content).toEqual({ prompt: 'Name? ', password: false });
    expect(text).toBe('Hello Ada\n');
    wants = () => void python.kernel.interrupt();
    expect((await python.run('import getpass; getpass.getpass()')).error?.name).toBe('KeyboardInterrupt');
    forget();
    const refused = await python.kernel.execute({ id: 'no input', code: 'input()' });
    expect(refused.error?.name).toBe('RuntimeError');
  });

  it.each([
    ['a loop', 'print("now")\nwhile True: pass'],
    ['a sleep', 'import time\nprint("now")\ntime.sleep(1000)'],
    ['an await', 'import asyncio\nprint("now")\nawait asyncio.sleep(1000)'],
    ['endless output', 'while True: print("now" * 100)'],
  ])('interrupts %s', async (_, code) => {
    const forget = python.kernel.onMessage(({ type }) => {
      if (type !== 'stream') return;
      forget();
      void python.kernel.interrupt();
    });
    const { error, text } = await python.run(code);
    expect(error?.name).toBe('KeyboardInterrupt');
    expect(text).toMatch(/^now/);
    expect((await python.run('1 + 1')).status).toBe('ok');
  });

  it('bounds the output', async () => {
    const { text, messages } = await python.run('for i in range(200_000): print("x" * 100)');
    expect(text.length).toBeLessThan(8.1 * 1024 * 1024);
    expect(text).toMatch(/the rest is left out\]\n$/);
    expect(messages.length).toBeLessThan(1000);
    const large = await python.run('from IPython.display import HTML\ndisplay(HTML("x" * 20_000_000))');
    expect(large.text).toContain('too large');
  });

  it('completes and inspects', async () => {
    await python.run('import os\ndef greet(name: str) -> str:\n    "Says hello."\n    return name');
    expect(await python.kernel.complete('"😀"; os.path.joi', 17)).toMatchObject({
      matches: ['os.path.join'],
      from: 6,
      to: 17,
    });
    expect((await python.kernel.complete('import asynci', 13)).matches).toContain('asyncio');
    const told = await python.kernel.inspect('greet("x")', 3, 1);
    expect(told?.['text/plain']).toMatch(/greet\(name: str\) -> str.*return name.*Says hello\./s);
    expect(await python.kernel.inspect('nothing_known', 3, 0)).toBeNull();
  });

  it('says which kernel has packages', async () => {
    const { error } = await python.run('import numpy');
    expect(error).toMatchObject({ name: 'ModuleNotFoundError' });
    expect(error?.value).toContain('choose a Python kernel of the server');
  });

  it('has the files of the folder, and returns the files that code writes', async () => {
    expect((await python.run('import helper\nprint(open("data/in.txt").read(), helper.double(2))')).text).toBe(
      'from the project 4\n',
    );
    expect((await python.run('import os\nprint(sorted(os.listdir()))')).text).not.toContain('link');
    await python.run(
      'os.makedirs("out/deep")\nopen("out/deep/a.bin", "wb").write(bytes(range(256)))\nos.remove("helper.py")',
    );
    expect(await readFile(join(python.folder, 'out/deep/a.bin'))).toEqual(
      Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
    );
    expect(await readdir(python.folder)).not.toContain('helper.py');
    await writeFile(join(python.folder, 'later.txt'), 'put there while it runs');
    expect((await python.run('print(open("later.txt").read())')).text).toBe('put there while it runs\n');
  });

  it('neither follows links nor leaves the folder', async () => {
    const { text } = await python.run(
      'open("link", "w").write("x")\nos.makedirs("away")\nopen("away/atoll-escaped", "w").write("x")\nos.symlink("/etc/passwd", "made")',
    );
    expect(await readFile('/etc/passwd', 'utf8')).toContain('root:');
    expect(await readdir('/tmp')).not.toContain('atoll-escaped');
    expect(await readdir(python.folder)).not.toContain('made');
    expect(text).toContain('could not be kept');
    await python.run('os.remove("away/atoll-escaped")');
  });

  it('limits files', async () => {
    expect((await python.run('open("big", "wb").write(b"x" * 5_000_000)')).error?.value).toContain('File too large');
    const full = await python.run('for i in range(5): open(f"/tmp/{i}", "wb").write(b"x" * 3_000_000)');
    expect(full.error?.value).toContain('No space left');
  });

  it('raises MemoryError at its limit and continues', async () => {
    expect((await python.run('x = []\nwhile True: x.append(bytearray(10_000_000))')).error?.name).toBe('MemoryError');
    expect((await python.run('del x')).status).toBe('ok');
  });

  it('restarts with an empty state, and gives the reason why running code has ended', async () => {
    const states: string[] = [];
    const forget = python.kernel.onState((state) => states.push(state));
    const running = python.run('print("now")\nwhile True: pass');
    await new Promise<void>((resolve) => {
      const stop = python.kernel.onMessage(({ type }) => {
        if (type === 'stream') resolve(stop());
      });
    });
    await python.kernel.restart();
    expect((await running).end?.reason).toBe('restarted');
    expect(states).toEqual(['busy', 'restarting', 'idle']);
    forget();
    const { error, executionCount } = await python.run('x');
    expect([error?.name, executionCount]).toEqual(['NameError', 1]);
    expect((await python.run('print(open("later.txt").read())')).text).toBe('put there while it runs\n');
  });

  it('restarts when the running code cannot be interrupted', async () => {
    const forget = python.kernel.onMessage(({ type }) => {
      if (type !== 'stream') return;
      forget();
      void python.kernel.interrupt();
    });
    const { end } = await python.run('import itertools, time\ntime.sleep(0.1)\nprint("now")\nsum(itertools.repeat(1))');
    expect(end).toMatchObject({ reason: 'restarted', message: expect.stringContaining('could not be interrupted') });
    while (python.kernel.state === 'restarting') {
      await new Promise<void>((resolve) => {
        const stop = python.kernel.onState(() => resolve(stop()));
      });
    }
    expect((await python.run('1')).status).toBe('ok');
  });

  it('ends when the code ends it, with its output and that reason', async () => {
    const { status, end } = await python.run('import os\nopen("last.txt", "w").write("kept")\nos._exit(3)');
    expect([status, end?.reason, end?.exitCode]).toEqual(['ended', 'exited', 3]);
    expect(await python.kernel.ended).toEqual(end);
    expect(python.kernel.state).toBe('ended');
    expect(await readFile(join(python.folder, 'last.txt'), 'utf8')).toBe('kept');
    expect((await python.run('1')).status).toBe('ended');
  });
});
