import { homedir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { heard, run, startOptions } from '../../conformance.ts';
import { askPython } from '../../python/find.ts';
import { testPython } from '../../test-python.ts';
import { localKernels } from '../provider.ts';

test('runs, interrupts, restarts and stops code without a sandbox, with the rights of the person', async () => {
  const python = await askPython(testPython);
  const provider = localKernels({ python: () => python, isUnsandboxed: true });
  onTestFinished(() => provider.close());
  expect(await provider.status()).toMatchObject({ isAvailable: true, isSandboxed: false });
  expect((await provider.specs()).map(({ name }) => name)).toContain('python3');
  const options = await startOptions('python3');
  const kernel = await provider.start(options);
  const { result, shown } = await run(kernel, 'import os\n[os.path.expanduser("~"), os.getuid(), os.getcwd()]');
  expect(result.status).toBe('ok');
  expect(shown).toEqual([`['${homedir()}', ${process.getuid?.()}, '${options.folder}']`]);
  expect((await run(kernel, 'os.path.exists("/etc/shadow")')).shown).toEqual(['True']);
  const begun = heard(kernel, 'stream');
  const running = run(kernel, 'print("begun", flush=True)\nwhile True: pass');
  await begun;
  await kernel.interrupt();
  expect((await running).result.error?.name).toBe('KeyboardInterrupt');
  await kernel.restart();
  expect((await run(kernel, 'os')).result.error?.name).toBe('NameError');
  await kernel.stop();
  expect(await kernel.ended).toMatchObject({ reason: 'stopped' });
});
