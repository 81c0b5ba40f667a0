import { once } from 'node:events';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../../conformance.ts';
import { sampleProcesses, treeOf } from '../limits/processes.ts';
import { answer, isAvailable, ownChildren, runFolder, start, useKernels } from './test-kernels.ts';

useKernels();

describe.runIf(isAvailable)('the outside', () => {
  test('hides files of the host', async () => {
    const secret = join(runFolder, 'secret');
    await writeFile(secret, 'host secret');
    onTestFinished(() => rm(secret));
    const { kernel, folder } = await start();
    await symlink('/etc/shadow', join(folder, 'link'));
    const code = `import os
for path in ["/etc/shadow", "${homedir()}", "/var/run/docker.sock", "/run/docker.sock", "/sys", "/boot", "${secret}", "link", "/proc/1/" + "root" + "/etc/shadow", "/etc/resolv.conf"]:
    try: os.stat(path); print(path)
    except OSError: pass
print(os.listdir("/home"), os.listdir("/run"), open("/etc/passwd").read().count("\\n"))`;
    expect(await answer(kernel, code)).toBe("['user'] ['kernel'] 1");
  });

  test('refuses writes outside of its folders', async () => {
    const { kernel, folder } = await start();
    const code = `import os
for path in ["/x", "/usr/x", "/etc/x", "/dev/x", "/home/x", "/run/x", "/proc/sys/kernel/core_pattern"]:
    try: open(path, "w"); print(path)
    except OSError: pass
open("written", "w").write("by the kernel")
print(os.getcwd())`;
    expect(await answer(kernel, code)).toBe('/home/user/project');
    expect(await readFile(join(folder, 'written'), 'utf8')).toBe('by the kernel');
  });

  test('has only the given environment, and shows it on no command line', async () => {
    process.env.HOST_ONLY = 'host';
    onTestFinished(() => {
      delete process.env.HOST_ONLY;
    });
    const { kernel } = await start({ environment: { TOKEN: 'top-secret', LD_PRELOAD: '' } });
    const code =
      'import os\nprint(os.environ["TOKEN"], "HOST_ONLY" in os.environ, open("/proc/1/environ").read().count("\\0"))';
    expect(await answer(kernel, code)).toBe('top-secret False 1');
    for (const { pid } of treeOf(process.pid, sampleProcesses())) {
      expect(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).not.toContain('top-secret');
    }
  });

  test('a variable cannot add an option of the sandbox', async () => {
    const before = ownChildren();
    const smuggled = start({ environment: { X: 'x\0--bind\0/\0/host' } });
    await expect(smuggled).rejects.toThrow('zero byte');
    expect(ownChildren()).toBe(before);
  });

  test('hides processes of the host', async () => {
    const { kernel } = await start();
    const code = 'import os\nprint(sorted(int(name) for name in os.listdir("/proc") if name.isdigit()))';
    expect(await answer(kernel, code)).toBe('[1, 2]');
  });

  test('no network: the internet, the host, its metadata, its abstract sockets', async () => {
    const listening = createServer().listen(0, '127.0.0.1');
    const abstract = createServer().listen('\0kernel-test-abstract');
    await Promise.all([once(listening, 'listening'), once(abstract, 'listening')]);
    onTestFinished(() => {
      listening.close();
      abstract.close();
    });
    const address = listening.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { kernel } = await start();
    const code = `import socket
for family, address in [(2, ("127.0.0.1", ${port})), (2, ("169.254.169.254", 80)), (2, ("1.1.1.1", 443)), (1, "\\0kernel-test-abstract")]:
    try:
        with socket.socket(family) as one: one.settimeout(5); one.connect(address)
        print("reached", address)
    except OSError: pass
for family in [40, 38, 17]:
    try: socket.socket(family, socket.SOCK_RAW); print("family", family)
    except OSError: pass
print("done")`;
    expect(await answer(kernel, code)).toBe('done');
  });

  test('refuses network where the host has not offered its own', async () => {
    await expect(start({ hasNetwork: true })).rejects.toThrow('no network');
  });

  test('refuses system calls that reach into the host', async () => {
    const { kernel } = await start();
    const code = `import ctypes, os, platform
numbers = {"x86_64": [101, 250, 321, 323, 298, 425, 165, 272, 308, 29, 435, 161], "aarch64": [117, 219, 280, 282, 241, 425, 40, 97, 268, 194, 435, 51]}
libc = ctypes.CDLL(None, use_errno=True)
answers = set()
for number in numbers[platform.machine()]:
    result = libc.syscall(number, 0, 0, 0, 0, 0)
    answers.add((result, ctypes.get_errno()))
print(sorted(answers))`;
    expect(await answer(kernel, code)).toBe('[(-1, 1), (-1, 38)]');
  });

  test('refuses to add or replace its sockets', async () => {
    const { kernel } = await start();
    const code = `import os
for action in [lambda: os.symlink("/run/docker.sock", "/run/kernel/s-9"), lambda: os.unlink("/run/kernel/s-1"), lambda: os.rename("/run/kernel/s-2", "/run/kernel/s-1")]:
    try: action(); print("done")
    except OSError as error: print(error.strerror)`;
    expect(new Set((await answer(kernel, code)).split('\n'))).toEqual(new Set(['Permission denied']));
    expect((await run(kernel, '1 + 1')).shown).toEqual(['2']);
  });

  test('two kernels do not see each other', async () => {
    const [one, two] = [await start(), await start()];
    await run(one.kernel, 'open("/tmp/mine", "w").write("x"); open("mine", "w").write("x")');
    const code = 'import os\nprint(os.path.exists("/tmp/mine"), os.path.exists("mine"))';
    expect(await answer(two.kernel, code)).toBe('False False');
  });
});
