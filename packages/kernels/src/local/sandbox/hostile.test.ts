import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run, startOptions, testLimits } from '../../conformance.ts';
import { findCgroup } from '../limits/cgroup.ts';
import { sampleProcesses, treeOf } from '../limits/processes.ts';
import { localKernels } from '../provider.ts';
import {
  answer,
  isAvailable,
  ownChildren,
  provider,
  python,
  runFolder,
  start,
  useKernels,
  volumes,
} from './test-kernels.ts';

useKernels();

describe.runIf(isAvailable)('limits', () => {
  test('ends a fork bomb, with the reason, and leaves no process', async () => {
    const before = ownChildren();
    const { kernel } = await start();
    const { result } = await run(kernel, 'import os\nwhile True:\n    try: os.fork()\n    except OSError: pass');
    expect(result).toMatchObject({ status: 'ended', end: { reason: 'processes' } });
    expect(result.end?.message).toContain('64 processes');
    await expect.poll(ownChildren).toBeLessThanOrEqual(before);
  });

  test('10 GB at once are an error in the code; slow growth past the limit ends the kernel', async () => {
    const { kernel } = await start();
    expect((await run(kernel, 'b"x" * 10_000_000_000')).result.error?.name).toBe('MemoryError');
    expect((await run(kernel, '1+1')).shown).toEqual(['2']);
    const hoard = 'import time\nheld = []\nwhile True:\n    held.append(b"x" * 10_000_000)\n    time.sleep(0.01)';
    const { result } = await run(kernel, hoard);
    expect(result).toMatchObject({ status: 'ended', end: { reason: 'memory' } });
    expect(result.end?.message).toContain('512 MB');
  });

  test('counts memory shared among processes once', async () => {
    const { kernel } = await start();
    const code = `import os, time
held = b"x" * 300_000_000
children = []
for _ in range(4):
    pid = os.fork()
    if pid == 0:
        time.sleep(1.5)
        os._exit(0)
    children.append(pid)
for pid in children: os.waitpid(pid, 0)
"alive"`;
    expect((await run(kernel, code)).shown).toEqual(["'alive'"]);
  });

  test('refuses memory outside of processes', async () => {
    const { kernel } = await start();
    const attempt = 'import os\ntry: os.memfd_create("x")\nexcept OSError as error: print(error.strerror)';
    expect(await answer(kernel, attempt)).toBe('Function not implemented');
    const shared = `try:
    with open("/dev/shm/x", "wb") as file:
        for _ in range(20): file.write(b"x" * 10_000_000)
except OSError as error: print(error.strerror)`;
    expect(await answer(kernel, shared)).toMatch(/File too large|No space left on device/);
  });

  test('refuses message queues, and limits sockets to their usual size', async () => {
    const { kernel } = await start();
    const code = `import ctypes, platform, socket
libc = ctypes.CDLL(None, use_errno=True)
answers = set()
for number in {"x86_64": [68, 64, 240], "aarch64": [186, 190, 180]}[platform.machine()]:
    answers.add((libc.syscall(number, 0, 0o1600, 0o600, 0), ctypes.get_errno()))
one, other = socket.socketpair()
usual = one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
for option in [socket.SO_SNDBUF, socket.SO_RCVBUF]: one.setsockopt(socket.SOL_SOCKET, option, 4_000_000)
print(answers, one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) - usual)
from multiprocessing import Lock, Semaphore
from multiprocessing.shared_memory import SharedMemory
with Lock(): SharedMemory(create=True, size=100).unlink()`;
    expect(await answer(kernel, code)).toBe('{(-1, 38)} 0');
  });

  const fillSockets = `import os, socket, time
for _ in range(8):
    if os.fork() == 0: break
held = []
for _ in range(800):
    pair = socket.socketpair()
    pair[0].setblocking(False)
    try:
        while True: pair[0].send(b"x" * 65536)
    except BlockingIOError: pass
    held.append(pair)
time.sleep(1000)`;
  test.each([
    ['counted by a cgroup', provider],
    ['without one', localKernels({ runFolder, python: () => python, cgroup: join(runFolder, 'nowhere') })],
  ])('memory that lies in sockets ends the kernel, %s', async (_name, owner) => {
    const kernel = await owner.start(await startOptions('python3'));
    onTestFinished(() => kernel.stop());
    const { result } = await run(kernel, fillSockets);
    expect(result).toMatchObject({ status: 'ended', end: { reason: 'memory' } });
  });

  test.runIf(volumes)('leaves no room for hidden data', async () => {
    const volume = join(runFolder, 'volume');
    await volumes?.make(volume, testLimits.folderBytes);
    const folder = join(volume, 'project');
    await mkdir(folder);
    const kernel = await provider.start({ ...(await startOptions('python3')), folder, volume });
    onTestFinished(async () => {
      await kernel.stop();
      await volumes?.remove(volume);
    });
    const hide = (where: string) => `import mmap, os, socket
pair = socket.socketpair()
kept = []
hidden = 0
try:
    while hidden < 1_000_000_000:
        file = os.open("${where}/hidden", os.O_CREAT | os.O_RDWR)
        os.posix_fallocate(file, 0, 20_000_000)
        hidden += 20_000_000
        if len(kept) % 2: kept.append(mmap.mmap(file, 20_000_000))
        else: kept.append(socket.send_fds(pair[0], [b"x"], [file]))
        os.unlink("${where}/hidden")
        os.close(file)
except OSError as error: print(error.strerror, 150_000_000 < hidden <= ${testLimits.folderBytes})
pair = kept = None
os.close(file)
os.unlink("${where}/hidden")`;
    // IPython's own history may report, also in between, that it found no room either.
    expect(await answer(kernel, hide('.'))).toMatch(/^No space left on device[\s\S]* True/);
    expect(await answer(kernel, hide('/tmp'))).toMatch(/^No space left on device[\s\S]* True/);
  });

  test('10 GB in one file are an error in the code', async () => {
    const { kernel, folder } = await start();
    const code = 'with open("big", "wb") as file:\n    for _ in range(1000): file.write(b"x" * 10_000_000)';
    expect((await run(kernel, code)).result.error).toMatchObject({
      name: 'OSError',
      value: '[Errno 27] File too large',
    });
    expect((await lstat(join(folder, 'big'))).size).toBeLessThanOrEqual(testLimits.fileBytes);
  });

  test.each([
    ['in many files', 'for i in range(1000):\n    with open(f"{i}", "wb") as file: file.write(b"x" * 10_000_000)'],
    [
      'in the temporary folder',
      'for i in range(1000):\n    with open(f"/tmp/{i}", "wb") as file: file.write(b"x" * 10_000_000)',
    ],
    [
      'in files that are only mapped',
      'import mmap, os\nheld = []\nfor i in range(1000):\n    file = os.open("x", os.O_CREAT | os.O_RDWR)\n    os.posix_fallocate(file, 0, 10_000_000)\n    held.append(mmap.mmap(file, 10_000_000))\n    os.unlink("x")\n    os.close(file)',
    ],
    [
      'in files that lie in a socket',
      'import os, socket\npair = socket.socketpair()\nfor i in range(200):\n    file = os.open("x", os.O_CREAT | os.O_RDWR)\n    os.posix_fallocate(file, 0, 10_000_000)\n    socket.send_fds(pair[0], [b"x"], [file])\n    os.unlink("x")\n    os.close(file)',
    ],
    [
      'in files without a name',
      'import os\nheld = []\nfor i in range(1000):\n    file = open("x", "wb", 0)\n    os.unlink("x")\n    file.write(b"x" * 10_000_000)\n    held.append(file)',
    ],
  ])('10 GB %s end the kernel', async (_where, code) => {
    const { kernel } = await start();
    const { result } = await run(kernel, `import time\n${code.replace(/\n(?=[^\n]*$)/, '\n    time.sleep(0.05)\n')}`);
    expect(result).toMatchObject({ status: 'ended', end: { reason: 'disk' } });
  });
});

describe.runIf(isAvailable)('priority', () => {
  test('gives way to the server as a whole, also in sessions it has created itself', async () => {
    const { kernel } = await start();
    await run(kernel, 'import subprocess\nfor _ in range(3): subprocess.Popen(["setsid", "sleep", "1000"])\n0');
    const place = await findCgroup({});
    const hasCgroup = 'folder' in place || place.processors !== undefined;
    // Without a group of its own, as where Linux has none, its own niceness counts.
    const group = async (pid: number) => {
      if (hasCgroup) return (await readFile(`/proc/${pid}/cgroup`, 'utf8')).includes('/kernel-') ? '5' : 'none';
      return readFile(`/proc/${pid}/autogroup`, 'utf8').then(
        (text) => text.trim().split(' ').at(-1),
        () => '5',
      );
    };
    const inside = treeOf(process.pid, sampleProcesses()).filter(
      ({ pid, parent }) => ![pid, parent].includes(process.pid),
    );
    expect(inside.length).toBeGreaterThanOrEqual(5);
    expect(inside.map(({ pid }) => getPriority(pid))).toEqual(inside.map(() => 5));
    const groups = () => Promise.all(inside.map(({ pid }) => group(pid)));
    await expect.poll(groups).toEqual(inside.map(() => '5'));
  });
});

describe.runIf(isAvailable)('ends', () => {
  test.each([
    ['a segmentation fault', 'import ctypes\nctypes.string_at(0)', 'SIGSEGV'],
    ['a kill from inside', 'import os\nos.kill(os.getpid(), 9)', 'SIGKILL'],
    ['an abort', 'import os\nos.abort()', 'SIGABRT'],
  ])('%s', async (_name, code, signal) => {
    const { kernel } = await start();
    const { result } = await run(kernel, code);
    expect(result).toMatchObject({ status: 'ended', end: { reason: 'crashed', signal, exitCode: null } });
    expect(result.end?.message).toContain(signal);
  });

  test('killing the sandbox from outside', async () => {
    const { kernel } = await start();
    const [first] = treeOf(process.pid, sampleProcesses()).filter(({ parent }) => parent === process.pid);
    if (!first) throw new Error('No sandbox');
    process.kill(first.pid, 'SIGKILL');
    expect(await kernel.ended).toMatchObject({ reason: 'crashed', signal: 'SIGKILL' });
  });

  test('ends the processes that the kernel left running', async () => {
    const { kernel } = await start();
    const before = ownChildren();
    await run(kernel, 'import subprocess\nsubprocess.Popen(["setsid", "sleep", "1000"])\n0');
    expect(ownChildren()).toBeGreaterThan(before);
    await kernel.stop();
    await expect.poll(ownChildren).toBeLessThan(before);
  });

  test('a killed server ends its kernels', async () => {
    const { folder } = await startOptions('python3');
    const script = `
      import { localKernels } from '${join(import.meta.dirname, '../provider.ts')}';
      const options = ${JSON.stringify({ spec: 'python3', folder, environment: {}, limits: testLimits, hasNetwork: false })};
      const kernel = await localKernels().start(options);
      void kernel.execute({ id: 'x', code: 'import subprocess; subprocess.Popen(["setsid", "sleep", "1000"]); print(flush=True)\\nwhile True: pass' });
      kernel.onMessage(({ type }) => type === 'stream' && console.log('runs'));`;
    const server = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(createInterface(server.stdout), 'line');
    const pids = treeOf(server.pid ?? 0, sampleProcesses()).map(({ pid }) => pid);
    expect(pids.length).toBeGreaterThan(3);
    server.kill('SIGKILL');
    const alive = () => sampleProcesses().filter(({ pid }) => pids.includes(pid)).length;
    await expect.poll(alive).toBe(0);
  });

  test('delivers a flood of output whole', async () => {
    const { kernel } = await start();
    let bytes = 0;
    kernel.onMessage(({ type, content }) => {
      if (type === 'stream') bytes += String(content.text).length;
    });
    await kernel.execute({ id: 'flood', code: 'for _ in range(200_000): print("x" * 999)' });
    expect(bytes).toBe(200_000_000);
  });

  test('holds a kernel that sends faster than we read: nothing is lost, and our memory does not fill', async () => {
    const { kernel } = await start({ limits: { ...testLimits, memoryBytes: 4_000_000_000 } });
    let bytes = 0;
    let peak = 0;
    const before = process.memoryUsage.rss();
    kernel.onMessage(({ type, content }) => {
      // After a long hold, ipykernel itself complains on stderr.
      if (type === 'stream' && content.name === 'stdout') bytes += String(content.text).length;
      peak = Math.max(peak, process.memoryUsage.rss());
    });
    // Built once and sent again and again, to bypass everything that slows ipykernel down.
    const code = `kernel = get_ipython().kernel
message = kernel.session.msg("stream", {"name": "stdout", "text": "x" * 2_000_000}, parent=kernel.get_parent())
frames = kernel.session.serialize(message, ident=b"stream")
for _ in range(1000): kernel.iopub_thread.send_multipart(frames)`;
    const result = await kernel.execute({ id: 'flood', code });
    expect(result.status).toBe('ok');
    expect(bytes).toBe(2_000_000_000);
    // It is 1.4 GB when the kernel is not held.
    expect(peak - before).toBeLessThan(1_000_000_000);
  });

  test.each([
    ['four outputs of 150 MB', 'iopub', 4 * 150, 'stream'],
    ['four answers of 300 MB', 'shell', 4 * 300, 'execute_reply'],
    ['one output of a thousand parts', 'parts', 1200, 'stream'],
  ])('%s neither fill our memory nor hold up others, and the cell says so', async (_name, channel, megabytes, type) => {
    const { kernel } = await start({ limits: { ...testLimits, memoryBytes: 4 * 1024 ** 3 } });
    const { kernel: other } = await start();
    const ended: string[] = [];
    const before = process.memoryUsage.rss();
    let peak = 0;
    const look = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 20);
    onTestFinished(() => clearInterval(look));
    const code = `kernel = get_ipython().kernel
parent = kernel.get_parent()
content = {"name": "stdout", "text": "x" * ${channel === 'parts' ? 10 : (megabytes / 4) * 1_000_000}}
message = kernel.session.msg("${type}", content, parent=parent)
frames = kernel.session.serialize(message, ident=b"stream")
parts = [b"x" * 1_000_000] * 1200
if "${channel}" == "shell":
    frames = kernel.session.serialize(message, ident=parent["header"]["session"].encode())
    for _ in range(4): kernel.shell_stream.socket.send_multipart(frames)
elif "${channel}" == "parts": kernel.iopub_thread.send_multipart(frames + parts)
else:
    for _ in range(4): kernel.iopub_thread.send_multipart(frames)
print("sent")`;
    const both = [run(kernel, code), run(other, '1 + 1')] as const;
    void both[0].then(() => ended.push('large'));
    void both[1].then(() => ended.push('small'));
    const [said] = await Promise.all(both);
    expect(ended).toEqual(['small', 'large']);
    const words = said.messages.map(({ content }) => String(content.text ?? '')).join('') + said.result.error?.value;
    expect(words).toMatch(/An (output|answer) of \d+(\.\d)? [MG]B was left out: it is too large/);
    expect(peak - before).toBeLessThan(400 * 1024 ** 2);
    expect((await run(kernel, '1 + 1')).result.status).toBe('ok');
  });

  test('delivers five thousand displays in order', async () => {
    const { kernel } = await start();
    const shown: number[] = [];
    kernel.onMessage(({ type, content }) => {
      if (type === 'display_data') shown.push(Number((content.data as Record<string, string>)['text/plain']));
    });
    const { result } = await run(kernel, 'for i in range(5_000): display(i)');
    expect(result.status).toBe('ok');
    expect(shown).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
  });
});
