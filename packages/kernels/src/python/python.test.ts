import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run, startOptions } from '../conformance.ts';
import { kernelUser } from '../kernel-user.ts';
import { localKernels } from '../local/provider.ts';
import { installKernelPackages } from '../test-packages.ts';
import { testPython } from '../test-python.ts';
import { existingEnvironment, pipEnvironment } from './environment.ts';
import { type PythonProgress, pythonForEverybody } from './everybody.ts';
import { existingPython } from './existing.ts';
import { pipFailure } from './failures.ts';
import { findPythons } from './find.ts';
import { moduleOf, packagesForEverybody } from './packages.ts';
import { runQuietly } from './run.ts';

await installKernelPackages();
const user = kernelUser();

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'python-'));
  // Kernels have to reach it, and root's kernels run as another user.
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with a Python without ipykernel. */
async function bareplace(): Promise<string> {
  const folder = join(await temporaryFolder(), 'bare');
  const { code, output } = await runQuietly('/usr/bin/python3', ['-m', 'venv', '--without-pip', folder]);
  if (code !== 0) throw new Error(output);
  return join(folder, 'bin');
}

/** A script that answers like a Python that lacks packages. */
async function scriptedPlace(has: Record<string, boolean>, lacks = ['ipykernel']): Promise<string> {
  const folder = await temporaryFolder();
  const [executable, prefix] = [join(folder, 'python3'), folder];
  const answer = { executable, base: executable, prefix, basePrefix: prefix, version: '3.12.1', has, lacks };
  await writeFile(executable, `#!/bin/sh\necho '${JSON.stringify(answer)}'\n`, { mode: 0o755 });
  return folder;
}

describe('a Python for everybody', () => {
  test('uses a Python on the machine that has all packages', async () => {
    const packages = ['ipykernel'];
    const options = { dataFolder: await temporaryFolder(), environment: { PATH: '/usr/bin' }, user, packages };
    const python = pythonForEverybody(options);
    expect(await python.settled).toMatchObject({ executable: '/usr/bin/python3', has: { ipykernel: true } });
    expect(python.progress()).toMatchObject({ phase: 'ready', fraction: 1 });
  });

  test('makes one where there is none, runs it in the sandbox, and finds it again', async () => {
    const dataFolder = await temporaryFolder();
    const leftOver = join(dataFolder, 'python/environment-999999999-1');
    await mkdir(leftOver, { recursive: true });
    const packages = ['ipykernel', 'no-such-package-for-the-tests-of-atoll'];
    const steps: PythonProgress[] = [];
    const options = {
      dataFolder,
      environment: { ...process.env, PATH: '' },
      places: [await bareplace()],
      packages,
      user,
      onProgress: (step: PythonProgress) => void steps.push(step),
    };
    const made = pythonForEverybody(options);
    const python = await made.settled;
    expect(made.progress().message).toMatch(/is ready\. Python's package no-such-package.* could not be installed/);
    expect(steps.map(({ phase }) => phase)).toEqual(['making', 'installing', 'installing', 'checking', 'ready']);
    expect(steps.map(({ fraction }) => fraction)).toEqual(steps.map(({ fraction }) => fraction).sort());
    expect(await readdir(join(dataFolder, 'python'))).not.toContain('environment-999999999-1');

    const again = pythonForEverybody({ ...options, onProgress: () => {} });
    expect((await again.settled)?.executable).toBe(python?.executable);
    expect(await existingEnvironment(join(dataFolder, 'python'), ['ipykernel'], user)).toBeNull();

    const provider = localKernels({ python: made.current });
    onTestFinished(() => provider.close());
    if (!(await provider.status()).isAvailable) return;
    expect(await provider.specs()).toContainEqual(
      expect.objectContaining({ name: 'python3', displayName: expect.stringMatching(/^Python 3\.\d+$/) }),
    );
    const kernel = await provider.start(await startOptions('python3'));
    expect((await run(kernel, '1+1')).shown).toEqual(['2']);
    const { out } = await run(kernel, 'import sys\nprint(sys.prefix)\nopen(sys.prefix + "/x", "w")');
    expect(out.trim()).toBe(python?.prefix);
    expect((await run(kernel, 'open(sys.prefix + "/x", "w")')).result.error?.value).toContain('Read-only');
  });

  test('has the packages that notebooks import, and its list of fonts is ready for each kernel', async () => {
    const options = { dataFolder: await temporaryFolder(), environment: {}, places: [], user };
    const python = pythonForEverybody({ ...options, configured: testPython });
    onTestFinished(() => python.close());
    await python.settled;
    const provider = localKernels({ python: python.current });
    onTestFinished(() => provider.close());
    if (!(await provider.status()).isAvailable) return;
    const kernel = await provider.start(await startOptions('python3'));
    const modules = packagesForEverybody.map(moduleOf);
    expect(modules).toContain('ipywidgets');
    const fonts = 'import pathlib\nfonts = sorted(pathlib.Path.home().glob(".cache/matplotlib/fontlist-*.json"))\n';
    const listed = `${fonts}before = [each.stat().st_mtime_ns for each in fonts]\n`;
    const { result, shown } = await run(
      kernel,
      `${listed}import ${modules.join(', ')}\nimport matplotlib.pyplot\n${fonts}(len(before), before == [each.stat().st_mtime_ns for each in fonts])`,
    );
    expect(result.error).toBeNull();
    expect(shown).toEqual(['(1, True)']);
  });

  test('finds the configured Python and no other, else an existing one', async () => {
    const dataFolder = await temporaryFolder();
    const find = (configured: string | null) => existingPython({ dataFolder, configured, path: '/usr/bin' });
    expect(await find(null)).toMatchObject({ executable: '/usr/bin/python3', basePrefix: '/usr' });
    expect(await find(join(dataFolder, 'nothing'))).toBeNull();
    expect((await find(testPython || '/usr/bin/python3'))?.executable).toBe(testPython || '/usr/bin/python3');
  });

  test('uses a Python that lacks packages until ours is made, and for good where none can be made', async () => {
    const packages = ['ipykernel', 'no_such_package_for_the_tests_of_atoll'];
    const waiting = Promise.withResolvers<void>();
    const options = { dataFolder: await temporaryFolder(), packages, retryMs: 1, user };
    const python = pythonForEverybody({
      ...options,
      environment: { PATH: '/usr/bin', PIP_INDEX_URL: 'http://127.0.0.1:9/simple' },
      onProgress: ({ message }) => message.includes('Trying again') && waiting.resolve(),
    });
    await waiting.promise;
    expect(python.current()).toMatchObject({ executable: '/usr/bin/python3', lacks: packages.slice(1) });
    expect(python.progress().phase).toBe('ready');
    await python.close();

    const has = { ipykernel: true, venv: true, ensurepip: false, pip: false };
    const places = [await scriptedPlace(has, packages.slice(1))];
    const poor = pythonForEverybody({ ...options, environment: {}, places });
    expect(await poor.settled).toMatchObject({ version: '3.12.1' });
    expect(poor.progress().message).toMatch(/is ready\. It lacks no_such.*Debian: python3-venv/);
  });

  test('uses the configured Python, even without some packages', async () => {
    const options = { dataFolder: await temporaryFolder(), environment: {}, places: [], user };
    const python = pythonForEverybody({ ...options, configured: '/usr/bin/python3', packages: ['ipykernel', 'none'] });
    expect(await python.settled).toMatchObject({ executable: '/usr/bin/python3' });
  });

  test('retries when the index cannot be reached, and leaves nothing unfinished', async () => {
    const dataFolder = await temporaryFolder();
    const waiting = Promise.withResolvers<void>();
    let waits = 0;
    const python = pythonForEverybody({
      dataFolder,
      environment: { PIP_INDEX_URL: 'http://user:password@127.0.0.1:9/simple' },
      places: [await bareplace()],
      retryMs: 1,
      user,
      onProgress({ phase }) {
        if (phase === 'waiting' && ++waits === 2) waiting.resolve();
      },
    });
    await waiting.promise;
    expect(python.progress().message).toMatch(/ipykernel could not be installed: the package index cannot be reached/);
    expect(python.progress().message).not.toContain('password');
    await python.close();
    expect(python.current()).toBeNull();
    expect((await readdir(join(dataFolder, 'python'))).filter((name) => name.startsWith('environment-'))).toEqual([]);
  });

  test.each([
    ['there is no Python', null, /no Python 3\.9 or newer/],
    ['it cannot make environments', { venv: true, ensurepip: false, pip: false }, /Debian: python3-venv/],
  ])('says why when %s', async (_what, has, message) => {
    const places = has ? [await scriptedPlace(has)] : [];
    const python = pythonForEverybody({ dataFolder: await temporaryFolder(), environment: {}, places, user });
    expect(await python.settled).toBeNull();
    expect(python.progress()).toMatchObject({ phase: 'failed', message: expect.stringMatching(message) });
  });

  test('ignores a Python that kernels cannot reach', async () => {
    if (!user) return;
    const place = await bareplace();
    await chmod(join(place, '..'), 0o700);
    expect(await findPythons({ places: [place], user })).toEqual([]);
  });
});

test('pip gets only its own variables of the environment', () => {
  const environment = {
    PIP_INDEX_URL: 'https://index',
    https_proxy: 'http://proxy',
    NO_PROXY: 'x',
    DATABASE_URL: 'secret',
    AWS_SECRET_ACCESS_KEY: 'secret',
    PYTHONPATH: '/evil',
  };
  expect(pipEnvironment({ environment, folder: '/data/python' })).toEqual({
    HOME: '/data/python',
    PIP_CACHE_DIR: '/data/python/downloads',
    PIP_INDEX_URL: 'https://index',
    https_proxy: 'http://proxy',
    NO_PROXY: 'x',
  });
});

test.each([
  ["ProxyError('Cannot connect to proxy.')\nERROR: No matching distribution found for x", 'cannot be reached', true],
  ['ERROR: No matching distribution found for x', 'none for this Python', false],
  ['OSError: [Errno 28] No space left on device', 'disk is full', false],
  ['[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed', 'PIP_CERT', true],
])('pip says %j', (output, words, isPassing) => {
  const failure = pipFailure('x', output);
  expect(failure.message).toContain(words);
  expect(failure.isPassing).toBe(isPassing);
});
