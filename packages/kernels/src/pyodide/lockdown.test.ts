import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCKED } from './process.ts';
import { startTestKernel, type TestKernel } from './test/kernel.ts';

let server: Server;
let port: number;
let requests = 0;

beforeAll(async () => {
  server = createServer((_, response) => {
    requests += 1;
    response.end('reached');
  });
  server.on('connection', () => {
    requests += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

describe('Python in the kernel', () => {
  let python: TestKernel;
  beforeAll(async () => {
    python = await startTestKernel();
  });
  afterAll(() => python.close());

  const anything = 'from pyodide.ffi import to_js\nanything = to_js([1])\n';
  it.each([
    ['the js module', 'import js'],
    ['js.process', 'from js import process'],
    ['js.fetch', 'from js import fetch'],
    ['js.eval', `import js; js.eval("import('node:fs')")`],
    ['pyodide_js', 'import pyodide_js; pyodide_js.FS'],
    ["Pyodide's inner parts", 'import pyodide_js._api as api; api.runtimeEnv'],
    ['run_js', 'from pyodide.code import run_js; run_js("globalThis")'],
    ['open_url', 'from pyodide.http import open_url; open_url("http://127.0.0.1:PORT")'],
    ['pyfetch', 'from pyodide.http import pyfetch; await pyfetch("http://127.0.0.1:PORT")'],
    ['urllib', 'import urllib.request; urllib.request.urlopen("http://127.0.0.1:PORT", timeout=2)'],
    [
      'a socket',
      'import socket; s = socket.create_connection(("127.0.0.1", PORT), 2); s.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n"); assert s.recv(10)',
    ],
    ['the Function constructor', `${anything}anything.constructor.constructor("return process")()`],
    ['an async Function constructor', `${anything}anything.constructor.fromAsync.constructor("return process")()`],
    ['a function of ours', 'display.__globals__["nothing"]'],
    [
      'a JavaScript callback of ours',
      `cells = {n: c.cell_contents for n, c in zip(display.__code__.co_freevars, display.__closure__)}
show = cells["show"]
send = {n: c.cell_contents for n, c in zip(show.__code__.co_freevars, show.__closure__)}["send"]
emit = {n: c.cell_contents for n, c in zip(send.__code__.co_freevars, send.__closure__)}["emit"]
emit.constructor("return process")()`,
    ],
    [
      'prepareStackTrace',
      `${anything}
try: anything.constructor.constructor("x")
except Exception as error: found = error.js_error if hasattr(error, "js_error") else error
found.constructor.constructor("return process")()`,
    ],
    ['changing what all arrays do', `${anything}anything.constructor.prototype.push = print`],
    ['changing what all objects are', `${anything}anything.constructor.constructor.prototype.call = print`],
    ['a property for all objects', `${anything}anything.constructor.prototype.then = print`],
    [
      'the stack of all errors',
      `${anything}
try: anything.constructor.constructor("x")
except Exception as error: found = error.js_error if hasattr(error, "js_error") else error
found.constructor.constructor.prepareStackTrace = print
found.constructor.prepareStackTrace = print`,
    ],
    ['ctypes', 'import ctypes; assert ctypes.CDLL(None).system(b"id") == 0'],
    ['subprocess', 'import subprocess; subprocess.run(["id"], check=True)'],
    ['fork', 'import os; os.fork()'],
    ['exec', 'import os; os.execv("/bin/sh", ["sh"])'],
    ['a thread', 'import threading; threading.Thread(target=print).start()'],
    ['a file of the machine', 'open("/etc/passwd").read()'],
    ['/proc', 'open("/proc/self/environ").read()'],
    ['micropip', 'import micropip'],
  ])('gets nowhere with %s', async (_, code) => {
    const before = requests;
    const { status, error } = await python.run(code.replaceAll('PORT', String(port)));
    expect([status, error?.name]).toEqual(['error', expect.stringMatching(/Error|JsException|Exception/)]);
    expect(requests).toBe(before);
  });

  it('runs no command and sees no part of the machine', async () => {
    const { text } = await python.run(`import os, sys
print(os.system("id > /tmp/id"), os.path.exists("/tmp/id"))
print(sorted(os.environ))
print(os.listdir("/home/user"), os.path.exists("/root"), os.path.exists("/etc/hostname"))`);
    expect(text).toContain('-1 False');
    expect(text).not.toMatch(/NODE|VITEST|DATABASE|npm/);
    expect(text).toContain("['project'] False False");
  });

  it('cannot harm the server with any message: it counts as output, or is ignored', async () => {
    const { status, messages, text } = await python.run(`
cells = lambda f: {n: c.cell_contents for n, c in zip(f.__code__.co_freevars, f.__closure__)}
emit = cells(cells(cells(display)["show"])["send"])["emit"]
emit("status", '{"execution_state": "idle"}', '{}')
emit("shutdown_reply", '{}', '{}')
emit("comm_open", '{}', '{}')
emit("stream", '{"name": "stdout", "text": "forged"}', '{}')
emit("stream", '[]', '{}')
print("end")`);
    expect(status).toBe('ok');
    expect(text).toBe('forgedend\n');
    expect(messages.map(({ type }) => type)).toEqual(['status', 'execute_input', 'stream', 'stream', 'status']);
    expect((await python.run('1')).status).toBe('ok');
  });

  it.runIf(process.getuid?.() === 0)('is not root, nor in a group of root', async () => {
    const own = await promisify(execFile)('pgrep', ['-P', String(process.pid), '-f', 'pyodide/child.ts']);
    const status = await readFile(`/proc/${own.stdout.trim()}/status`, 'utf8');
    expect(/^Uid:\s+(.*)$/m.exec(status)?.[1]).toBe('61000\t61000\t61000\t61000');
    expect(/^Groups:[ \t]*(.*)$/m.exec(status)?.[1]?.trim()).toMatch(/^(61000)?$/);
    expect(/^CapEff:\s+(.*)$/m.exec(status)?.[1]).toMatch(/^0+$/);
  });

  it("cannot make JavaScript with Emscripten's own function either", async () => {
    const { status } = await python.run('import ctypes\nctypes.CDLL(None).emscripten_run_script(b"globalThis.x = 1")');
    expect(status).not.toBe('ok');
  });
});

// The rest that is left to Python should it ever reach JavaScript.
describe('JavaScript in the process', () => {
  const run = async (code: string) => {
    const script = `try { const value = await (async () => { ${code} })(); console.log('reached', value) } catch (error) { console.log('refused', error.code ?? error.cause?.code ?? error.name) }`;
    const locked = [...LOCKED, '--no-warnings', '--input-type=module', '-e', script];
    return (await promisify(execFile)(process.execPath, locked, { env: {}, cwd: '/' })).stdout.trim();
  };

  it.each([
    ['a file', `return (await import('node:fs')).readFileSync('/etc/passwd', 'utf8')`],
    ['writing', `return (await import('node:fs')).writeFileSync('/tmp/atoll-escaped', '')`],
    ['a process', `return (await import('node:child_process')).spawnSync('id')`],
    ['a thread', `return new (await import('node:worker_threads')).Worker('1', { eval: true })`],
    ['process.binding', `return process.binding('fs')`],
    ['an addon', `return process.dlopen({ exports: {} }, '/x.node')`],
    ['WASI', `return new (await import('node:wasi')).WASI({ version: 'preview1' })`],
    ['the inspector', `(await import('node:inspector')).open(0)`],
    ['fetch', `return (await fetch('http://127.0.0.1:PORT')).status`],
    [
      'a connection',
      `const net = await import('node:net'); return await new Promise((done, fail) => net.connect(PORT, '127.0.0.1', done).on('error', fail))`,
    ],
    [
      'a datagram',
      `const socket = (await import('node:dgram')).createSocket('udp4'); return await new Promise((done, fail) => { socket.on('error', fail); socket.send('x', PORT, '127.0.0.1', (error) => error ? fail(error) : done()) })`,
    ],
    [
      'listening',
      `const net = await import('node:net'); return await new Promise((done, fail) => net.createServer().on('error', fail).listen(0, done))`,
    ],
    ['eval', `return eval('1')`],
    [
      'a database file',
      `new (await import('node:sqlite')).DatabaseSync('/tmp/atoll-escaped').exec('create table x (y)')`,
    ],
    ['a library', `return (await import('node:ffi')).dlopen(null)`],
  ])('is refused %s', async (_, code) => {
    const before = requests;
    expect(await run(code.replaceAll('PORT', String(port)))).toMatch(
      /^refused (ERR_ACCESS_DENIED|ERR_DLOPEN_DISABLED|ERR_UNKNOWN_BUILTIN_MODULE|EvalError)$/,
    );
    expect(requests).toBe(before);
  });

  it.each(['node:sqlite', 'node:vm', 'node:v8', 'node:module', 'node:fs', 'data:text/javascript,'])(
    'gets no %s after the lockdown',
    async (name) => {
      const up = `const walls = await import('${join(import.meta.dirname, 'walls.ts')}'); walls.refuseModules();`;
      expect(await run(`${up} return await import('${name}')`)).toBe('refused Error');
    },
  );

  it('is refused more permissions, and has no environment', async () => {
    expect(
      await run(
        `return process.permission.has('fs.write') || process.permission.has('child') || process.permission.has('net')`,
      ),
    ).toBe('reached false');
    expect(await run('return Object.keys(process.env).length')).toBe('reached 0');
    expect(await run('return typeof process.send')).toBe('reached undefined');
  });
});
