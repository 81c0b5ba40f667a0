import { describe, expect, onTestFinished, test } from 'vitest';
import { heard, run, startOptions, testLimits } from '../conformance.ts';
import type { Kernel } from '../port.ts';
import { askPython } from '../python/find.ts';
import { installKernelPackages } from '../test-packages.ts';
import { testPython } from '../test-python.ts';
import { sampleProcesses, treeOf } from './limits/processes.ts';
import { localKernels } from './provider.ts';

await installKernelPackages();
const python = await askPython(testPython);
const provider = localKernels({ lostAfterMs: 1500, python: () => python });
const { isAvailable } = await provider.status();

async function start(cpu = 1): Promise<Kernel> {
  const kernel = await provider.start({ ...(await startOptions('python3')), limits: { ...testLimits, cpu } });
  onTestFinished(() => kernel.stop());
  return kernel;
}

const beatAfter = (kernel: Kernel, time: number) => expect.poll(() => kernel.lastHeartbeat).toBeGreaterThan(time);

describe.runIf(isAvailable)('heartbeats', () => {
  test.each([
    ['is idle', ''],
    ['sleeps', 'import time\ntime.sleep(1000)'],
    // Announce the beginning first, because no message leaves once it holds the interpreter.
    [
      'computes in C without letting go of the interpreter',
      'import itertools, time\ntime.sleep(0.5)\nsum(itertools.repeat(1))',
    ],
    ['computes with a small share of a processor', 'while True: pass'],
  ])('go on while it %s', async (what, code) => {
    const kernel = await start(what.includes('share') ? 0.2 : 1);
    if (code !== '') {
      const begun = heard(kernel, 'execute_input');
      void kernel.execute({ id: 'long', code });
      await begun;
    }
    await beatAfter(kernel, Date.now() + 3000);
    expect(kernel.state).toBe(code === '' ? 'idle' : 'busy');
  });

  test('a kernel that stands still ends as lost, with that reason', async () => {
    const kernel = await start();
    const { result } = await run(kernel, 'import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)');
    expect(result).toMatchObject({ status: 'ended', end: { reason: 'lost' } });
    expect(result.end?.message).toContain('stood still');
  });

  test('a kernel that stood still for a moment continues', async () => {
    const kernel = await start();
    const kernels = treeOf(process.pid, sampleProcesses()).filter(({ threads }) => threads > 2);
    const pid = kernels.at(-1)?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    const answered = run(kernel, '1+1');
    process.kill(pid, 'SIGCONT');
    expect((await answered).shown).toEqual(['2']);
    await beatAfter(kernel, Date.now());
  });
});

describe.runIf(isAvailable)('a share of a processor', () => {
  test('is the limit of an endless computation', async () => {
    const kernel = await start(0.25);
    const code = `import time
end = time.monotonic() + 8
used = time.process_time()
while time.monotonic() < end: pass
print(time.process_time() - used)`;
    const { out } = await run(kernel, code);
    // A quarter of 8 s, and the burst; without a limit it would be all of them.
    expect(Number(out)).toBeLessThan(4);
  });

  test('is shared with all processes that it starts', async () => {
    const kernel = await start(0.25);
    const code = `import os, time
def burn():
    end = time.monotonic() + 8
    while time.monotonic() < end: pass
children = []
for _ in range(2):
    pid = os.fork()
    if pid == 0:
        burn()
        os._exit(0)
    children.append(pid)
for pid in children: os.waitpid(pid, 0)
print(sum(os.times()[2:4]))`;
    expect(Number((await run(kernel, code)).out)).toBeLessThan(4);
  });
});
