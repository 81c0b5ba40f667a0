import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testLimits } from '../conformance.ts';
import { createHost, type Host } from '../host/host.ts';
import type { HostEvent } from '../host/types.ts';
import { Installer, pyodideLayers } from '../packages/installer.ts';
import { startIndex } from '../packages/test/index-server.ts';
import { testPython } from '../test-python.ts';
import { Distribution, type PyodideLock, readLock } from './distribution.ts';
import { createPyodideProvider } from './provider.ts';

const pyplot = `
class Figure:
    def savefig(self, file, **options): file.write(b"png")
    def __repr__(self): return "a figure"
figures = [Figure()]
get_fignums = lambda: range(len(figures))
figure = lambda number: figures[number]
close = figures.remove
`;

/** A distribution of our own, with the names of the real one, which not every machine can reach. */
describe('packages for Python as WebAssembly', () => {
  let folder: string;
  let index: Awaited<ReturnType<typeof startIndex>>;
  let host: Host;
  let project: string;
  const heard: HostEvent[] = [];
  const limits = { ...testLimits, memoryBytes: 1024 ** 3 };

  const open = async (id: string, requirements: string[] = []) => {
    const request = { id, kind: 'pyodide.pyodide', environment: {}, limits, hasNetwork: false };
    return (await host.open({ ...request, project: { id: 'project', requirements } })).folder ?? '';
  };
  const run = async (kernel: string, code: string) => {
    const id = crypto.randomUUID();
    await host.execute(kernel, { id, code, limitMs: null });
    const end = () => heard.find((event) => event.type === 'finished' && event.executionId === id);
    await expect.poll(end).toBeDefined();
    const messages = heard.flatMap((event) =>
      event.type === 'message' && event.message.executionId === id ? [event.message] : [],
    );
    const text = messages.map(({ type, content }) => (type === 'stream' ? content.text : '')).join('');
    const finished = end();
    return { text, messages, error: finished?.type === 'finished' ? finished.result.error : null };
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'distribution-'));
    // Like the server's own folder, because the kernels' user has to pass through.
    await chmod(folder, 0o711);
    index = await startIndex([
      { name: 'numpy', version: '2.4.6', source: 'six = __import__("six")\nwords = "as released"', needs: ['six'] },
      { name: 'six', version: '1.17.0', source: '' },
      { name: 'pandas', version: '3.0.0', source: 'words = "tampered with"' },
      { name: 'greeting', version: '1.1', source: 'import numpy\nwords = "hello"', needs: ['numpy'] },
    ]);
    const { info, packages } = readLock();
    const hashed = async (name: string, version: string, depends: string[]) => {
      const file_name = `${name}-${version}-py3-none-any.whl`;
      const sha256 = createHash('sha256')
        .update(await readFile(join(index.folder, file_name)))
        .digest('hex');
      return { name, file_name, sha256, imports: [name], depends, install_dir: 'site' };
    };
    const lock: PyodideLock = {
      info,
      packages: {
        numpy: await hashed('numpy', '2.4.6', ['six']),
        six: await hashed('six', '1.17.0', []),
        pandas: { ...(await hashed('pandas', '3.0.0', [])), sha256: packages.pandas?.sha256 ?? '' },
        scipy: { ...(await hashed('six', '1.17.0', [])), name: 'scipy', file_name: 'absent.whl', imports: ['scipy'] },
      },
    };
    const distribution = new Distribution({ base: index.filesUrl, folder: join(folder, 'kept'), lock });
    const installer = new Installer({
      folder: join(folder, 'projects'),
      environment: {},
      rules: { allowed: [], index: index.url, mostBytes: 1024 ** 2, timeoutMs: 60_000 },
    });
    host = await createHost({
      providers: [createPyodideProvider()],
      runFolder: folder,
      packagesFor: () => ({
        modules: (names, say) => distribution.modules(names, say),
        install: (id, wanted) => installer.install(id, wanted, pyodideLayers(testPython, distribution)),
      }),
    });
    host.onEvents((events) => heard.push(...events));
    project = await open('first');
  });
  afterAll(async () => {
    await host.close();
    await index.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('loads imported packages with their dependencies, from any place', async () => {
    await writeFile(join(project, 'helper.py'), 'def words():\n    import numpy\n    return numpy.words');
    const { text, error } = await run('first', 'import helper\nprint(helper.words())');
    expect(error).toBeNull();
    expect(text).toBe('Loading six, numpy\nas released\n');
    expect((await run('first', 'import numpy, six')).text).toBe('');
    const before = index.asked.length;
    await host.restart('first');
    expect((await run('first', 'import numpy\nprint(numpy.words)')).text).toBe('Loading six, numpy\nas released\n');
    expect(index.asked.length).toBe(before);
  });

  test.each([
    ['pandas', 'pandas from 127.0.0.1:', 'its SHA-256 differs'],
    ['scipy', 'scipy could not be fetched from 127.0.0.1:', 'it answers 404'],
    ['matplotlib', 'There is no package matplotlib for this Python', ''],
  ])('are not used when they are not what was released, or cannot be had: %s', async (name, problem, reason) => {
    const { error } = await run('first', `import ${name}`);
    expect(error?.name).toBe('ImportError');
    expect(error?.value).toContain(problem);
    expect(error?.value).toContain(reason);
  });

  test('installs packages by %pip that need no compiler, also for the next kernel', async () => {
    const { text, error } = await run('first', 'x = 1\n%pip install greeting\nimport greeting\nprint(greeting.words)');
    expect(error).toBeNull();
    expect(text).toContain('Installed greeting 1.1, numpy 2.4.6, six 1.17.0\nhello\n');
    expect(await readFile(join(project, 'requirements.txt'), 'utf8')).toBe('greeting==1.1\n');
    const before = index.asked.length;
    await open('second', ['greeting==1.1']);
    expect((await run('second', 'import greeting\nprint(greeting.words)')).text).toBe('hello\n');
    expect(index.asked.length).toBe(before);
    await host.stop('second');
    expect((await run('first', '!pip install missing')).error?.value).toContain('There is no package missing');
  });

  test('draws figures, which are shown after the cell', async () => {
    const code = `import sys, types\npyplot = types.ModuleType("pyplot")\nexec(${JSON.stringify(pyplot)}, pyplot.__dict__)\nsys.modules["matplotlib.pyplot"] = pyplot`;
    const { messages, error } = await run('first', code);
    expect(error).toBeNull();
    expect(messages.find(({ type }) => type === 'display_data')?.content.data).toEqual({
      'image/png': 'cG5n',
      'text/plain': 'a figure',
    });
  });

  test('reads only its own package folder', async () => {
    const code =
      'import atoll_host\n[atoll_host.read(name) for name in ("../x", "/etc/passwd", "answers/../../x", "")]';
    const { messages } = await run('first', code);
    expect(messages.find(({ type }) => type === 'execute_result')?.content.data).toEqual({
      'text/plain': '[None, None, None, None]',
    });
  });
});
