import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run as kernelRun, startOptions, testLimits } from '../conformance.ts';
import { createHost, type Host } from '../host/host.ts';
import type { HostEvent } from '../host/types.ts';
import { kernelUser } from '../kernel-user.ts';
import { localKernels } from '../local/provider.ts';
import { askPython, type Python } from '../python/find.ts';
import { helperCode } from '../python/helper.ts';
import { testPython } from '../test-python.ts';
import { Installer, pythonLayers } from './installer.ts';
import { joinRequirements, packageName, readRequirements } from './requirements.ts';
import { startIndex } from './test/index-server.ts';

const megabyte = 1024 ** 2;
const { isAvailable } = await localKernels().status();

describe('requirements', () => {
  test('are names with versions', () => {
    const lines = ['seaborn', '# why', 'pandas >= 2, < 4  # enough', 'httpx[http2]==0.28; python_version > "3.8"', ''];
    expect(readRequirements(lines)).toEqual([
      'seaborn',
      'pandas >= 2, < 4',
      'httpx[http2]==0.28; python_version > "3.8"',
    ]);
    expect(joinRequirements(['Foo_Bar==1', 'b'], ['foo-bar==2'])).toEqual(['b', 'foo-bar==2']);
    expect(packageName('Foo_.Bar [x] >= 1')).toBe('foo-bar');
  });

  test.each([
    'https://evil.example/x.whl',
    'x @ https://evil.example/x.whl',
    'git+https://evil.example/x',
    './folder',
    '/etc/passwd',
    '--index-url=https://evil.example',
    '-e .',
    'x --install-option=y',
    'x\n--index-url=y',
  ])('are nothing else: %j', (line) => {
    expect(() => readRequirements([line])).toThrow('cannot be installed');
  });
});

describe.runIf(isAvailable)('%pip in a kernel without network', () => {
  let folder: string;
  let index: Awaited<ReturnType<typeof startIndex>>;
  let python: Python;
  let host: Host;
  const heard: HostEvent[] = [];
  const kernelFolders = new Map<string, string>();

  const open = async (id: string, requirements: string[] = []) => {
    const kernel = await host.open({
      id,
      kind: 'local.python3',
      environment: {},
      limits: testLimits,
      hasNetwork: false,
      project: { id: 'project', requirements },
    });
    kernelFolders.set(id, kernel.folder ?? '');
  };
  const run = async (kernel: string, code: string) => {
    const id = crypto.randomUUID();
    await host.execute(kernel, { id, code, limitMs: null });
    const end = () => heard.find((event) => event.type === 'finished' && event.executionId === id);
    await expect.poll(end).toBeDefined();
    const text = heard
      .flatMap((event) => (event.type === 'message' && event.message.executionId === id ? [event.message] : []))
      .map(({ type, content }) => (type === 'stream' ? content.text : ''))
      .join('');
    const finished = end();
    return { text, error: finished?.type === 'finished' ? finished.result.error : null };
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packages-'));
    await chmod(folder, 0o755);
    index = await startIndex([
      { name: 'greeting', version: '1.0', source: 'words = "old"' },
      {
        name: 'greeting',
        version: '1.1',
        source: 'import greeting_base\nwords = "hello"',
        needs: ['greeting_base', 'numpy'],
      },
      { name: 'greeting_base', version: '2.0', source: '' },
      { name: 'unbuilt', version: '1.0', source: '', isSource: true },
      { name: 'huge', version: '1.0', source: '', extraBytes: 8 * megabyte },
      { name: 'forbidden', version: '1.0', source: '' },
    ]);
    python = (await askPython(testPython, kernelUser())) as Python;
    const installer = new Installer({
      folder: join(folder, 'projects'),
      environment: {},
      rules: {
        allowed: ['Greeting', 'unbuilt', 'huge', 'missing'],
        index: index.url,
        mostBytes: 4 * megabyte,
        timeoutMs: 60_000,
      },
    });
    host = await createHost({
      providers: [localKernels({ python: () => python })],
      runFolder: folder,
      user: kernelUser(),
      packagesFor: () => ({ install: (project, wanted) => installer.install(project, wanted, pythonLayers(python)) }),
    });
    host.onEvents((events) => heard.push(...events));
    await open('first');
  });
  afterAll(async () => {
    await host.close();
    await index.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('lets the server fetch a package with its dependencies, and records it', async () => {
    const { text, error } = await run('first', '%pip install -q greeting\nimport greeting\nprint(greeting.words)');
    expect(error).toBeNull();
    expect(text).toContain('Fetching greeting\n');
    // A package that everyone has is not fetched again.
    expect(text).toContain('Installed greeting 1.1, greeting_base 2.0\nhello\n');
    const noted = await readFile(join(kernelFolders.get('first') ?? '', 'requirements.txt'), 'utf8');
    expect(noted).toBe('greeting==1.1\n');
    expect((await run('first', '!pip list')).text).toContain('greeting==1.1');
    // Only new packages are reported.
    expect((await run('first', '%pip install greeting')).text).toContain('Already installed: greeting==1.1');
  });

  test("is there again after a restart, and in the project's next kernel, without a request to the index", async () => {
    const before = index.asked.length;
    await host.restart('first');
    expect((await run('first', 'import greeting\nprint(greeting.words)')).text).toBe('hello\n');
    await host.open({
      id: 'other-project',
      kind: 'local.python3',
      environment: {},
      limits: testLimits,
      hasNetwork: false,
      project: { id: 'other', requirements: [] },
    });
    expect((await run('other-project', 'import greeting')).error?.name).toBe('ModuleNotFoundError');
    await host.stop('other-project');
    await open('second', ['greeting==1.1']);
    expect((await run('second', 'import greeting\nprint(greeting.words)')).text).toBe('hello\n');
    await host.stop('second');
    expect(index.asked.length).toBe(before);
  });

  test('continues with a warning where a project requires an unavailable package', async () => {
    await open('third', ['greeting==9']);
    const { text, error } = await run('third', 'print("goes on")');
    expect(error).toBeNull();
    expect(text).toMatch(
      /^(Installing the packages.*\n)?requirements\.txt: There is no version.*greeting==9\.\ngoes on\n$/,
    );
    await host.stop('third');
  });

  test.each([
    ['%pip install missing', 'There is no package missing that is built for this Python'],
    ['!pip install unbuilt', 'have to be compiled first are not installed here'],
    ['%pip install huge', 'They take more than the 4 MB'],
    ['%pip install forbidden', 'does not allow forbidden to be installed'],
    ['%pip install https://evil.example/x.whl', 'cannot be installed: give the name of a package'],
    ['%pip install --index-url=https://evil.example greeting', 'is not supported here'],
    ['%pip uninstall greeting', 'delete its line from requirements.txt'],
  ])('says why it does not: %s', async (code, problem) => {
    const { error } = await run('first', code);
    expect(error?.name).toBe('PackageError');
    expect(error?.value).toContain(problem);
  });

  test('is the usual pip in a kernel on another machine, which has none of this', async () => {
    const kernel = await localKernels({ python: () => python }).start(await startOptions('python3'));
    const magic = 'get_ipython().find_line_magic("pip").__module__';
    await kernelRun(kernel, 'import os\ndel os.environ["ATOLL_PACKAGES"]');
    await kernelRun(kernel, helperCode);
    expect((await kernelRun(kernel, magic)).shown).not.toEqual(["'atoll_packages'"]);
    await kernel.restart();
    await kernelRun(kernel, helperCode);
    expect((await kernelRun(kernel, magic)).shown).toEqual(["'atoll_packages'"]);
    expect((await kernelRun(kernel, '%pip install x')).result.error?.value).toContain('An admin can allow it');
    await kernel.stop();
  });

  test('cannot be made to write to its package folder, nor to answer itself', async () => {
    const code = 'open("/run/packages/answers/mine.json", "w")';
    expect((await run('first', code)).error?.value).toContain('Read-only');
    await writeFile(join(kernelFolders.get('first') ?? '', 'more.txt'), 'greeting==1.0\n');
    expect((await run('first', '%pip install -r more.txt')).text).toContain(
      'Installed greeting 1.0\nRestart the kernel to use the new version of greeting.',
    );
    const noted = await readFile(join(kernelFolders.get('first') ?? '', 'requirements.txt'), 'utf8');
    expect(noted).toBe('greeting==1.0\n');
  });
});
