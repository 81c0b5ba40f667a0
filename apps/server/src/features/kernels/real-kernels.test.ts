import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Quota, Run, RunDetail } from '@atoll/contract';
import { localKernels } from '@atoll/kernels';
import { startIndex } from '@atoll/kernels/index-server-for-tests';
import { eq } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { codes } from '../../test/set-ups/notebooks.ts';
import { createSharedApp, createTestApp, type TestApp } from '../../test/test-app.ts';
import { reserve } from '../quota/service/reservations.ts';
import { users } from '../users/table.ts';
import { limitsOf } from './resources.ts';

/** Runs real code: in the sandbox where this machine allows one, else in WebAssembly. */

const projectWith = (app: TestApp, token: string, sources: string[]) => app.notebookProject(token, codes(sources));

async function run(app: TestApp, token: string, projectId: string): Promise<RunDetail> {
  const begun = await app.call<Run>('POST', `/v1/notebooks/${projectId}/runs`, { token, body: {} });
  expect(begun.status).toBe(200);
  const path = `/v1/notebooks/${projectId}/runs`;
  // Poll the list, without outputs: a client that reads all of a flood again and again would slow the kernel down.
  const status = async () => (await app.call<{ entries: Run[] }>('GET', path, { token })).body.entries[0]?.status;
  await expect.poll(status, { interval: 200 }).not.toBe('running');
  return (await app.call<RunDetail>('GET', `${path}/${begun.body.id}`, { token })).body;
}

const shown = (result: RunDetail) =>
  result.executions
    .flatMap(({ outputs }) => outputs)
    .map((output) => (output.output_type === 'stream' ? output.text : JSON.stringify(output)))
    .join('');

async function contentOf(app: TestApp, token: string, projectId: string, path: string): Promise<string | null> {
  const tree = await app.get<{ files: { id: string; path: string }[] }>(token, `/v1/notebooks/${projectId}/files-dirs`);
  const file = tree.body.files.find((each) => each.path === path);
  if (!file) return null;
  const answer = await app.call<string>('GET', `/v1/notebooks/${projectId}/file_raw_contents/${file.id}`, { token });
  return answer.body as unknown as string;
}

const { isAvailable } = await localKernels().status();

const app = await createSharedApp({ kernels: 'real' });

/** However code damages itself or its sandbox, the person who ran it gets the reason. */
describe.runIf(isAvailable)('the reason of a bad end', () => {
  test.each([
    ['os._exit', 'import os\nos._exit(7)', 'The kernel ended itself with code 7.'],
    ['a segmentation fault', 'import ctypes\nctypes.string_at(0)', 'The kernel crashed (SIGSEGV).'],
    [
      'a fork bomb',
      'import os\nwhile True:\n    try: os.fork()\n    except OSError: pass',
      `The kernel reached its limit of ${limitsOf('l1').processes} processes and threads and was ended.`,
    ],
    ['10 GB of memory in steps', 'x = []\nwhile True: x.append(b"x" * 50_000_000)', 'of memory and was ended.'],
    [
      '10 GB of files',
      'import os, time\nfor i in range(100):\n    os.posix_fallocate(os.open(f"/tmp/{i}", os.O_CREAT | os.O_WRONLY), 0, 100_000_000)\n    time.sleep(0.05)',
      // Where the host can mount, a kernel's disk has an end; elsewhere the kernel is ended.
      /of files and was ended\.|No space left on device/,
    ],
  ])('%s', async (_name, source, reason) => {
    const { token } = await app.person();
    const project = await projectWith(app, token, ['print("before", flush=True)', source, 'print("after")']);
    const result = await run(app, token, project.id);
    expect(result.status).toBe('failed');
    expect(result.error_reason).toContain('Cell 2: ');
    expect(result.error_reason).toMatch(reason);
    expect(shown(result)).toContain('before');
    expect(result.executions).toHaveLength(2);
    expect(result.executions[1]).toMatchObject({
      state: 'error',
      reason: typeof reason === 'string' ? expect.stringContaining(reason) : expect.stringMatching(reason),
    });
  });
});

describe('code that runs', () => {
  test("reads the project's files, and saves the files it writes to the project", async () => {
    const { token } = await app.person();
    const project = await projectWith(app, token, [
      'print(open("data/in.csv").read())',
      'import os\nos.makedirs("out", exist_ok=True)\nopen("out/result.txt", "w").write("42")\nopen("data/in.csv", "a").write("3\\n")',
      'os.remove("old.txt")\nopen("__pycache__", "w").write("x")\nprint(sorted(os.listdir(".")))',
    ]);
    for (const [name, content] of [
      ['data/in.csv', '1\n2\n'],
      ['old.txt', 'old'],
    ] as const) {
      await app.createFile(token, project.id, name, content);
    }
    const result = await run(app, token, project.id);
    expect(result).toMatchObject({ status: 'succeeded', error_reason: null });
    expect(shown(result)).toContain('1\n2\n');
    expect(await contentOf(app, token, project.id, 'out/result.txt')).toBe('42');
    expect(await contentOf(app, token, project.id, 'data/in.csv')).toBe('1\n2\n3\n');
    expect(await contentOf(app, token, project.id, 'old.txt')).toBeNull();
    expect(await contentOf(app, token, project.id, '__pycache__')).toBeNull();
  });

  test('has the secrets of its owner, which are never shown', async () => {
    const { token } = await app.person();
    await app.call('POST', '/v1/secrets', { token, body: { key: 'API_KEY', secret: 'hunter2-hunter2' } });
    const project = await projectWith(app, token, [
      'import os\nkey = os.environ["API_KEY"]\nprint("length", len(key))\nprint("it is", key)',
      'key',
      'raise ValueError(key)',
    ]);
    const result = await run(app, token, project.id);
    const text = JSON.stringify(result);
    expect(text).toContain('length 15');
    expect(text).toContain('it is [secret API_KEY]');
    expect(text).not.toContain('hunter2');
    const notebook = await app.call<string>('GET', `/v1/notebooks/${project.id}/runs/${result.id}/result`, { token });
    expect(notebook.body).not.toContain('hunter2');
  });

  test('ends when its execution time is used up, and begins nothing more', async () => {
    const { token, id } = await app.person();
    await app.database.db.update(users).set({ plan: 'Free' }).where(eq(users.id, id));
    const ctx = app.app.system();
    // Another reservation takes all but two seconds of the month.
    await ctx.write((write) =>
      reserve(ctx, write, { id: crypto.randomUUID(), userId: id, wantedMs: 10 * 3_600_000 - 2_000 }),
    );
    const project = await projectWith(app, token, ['print("begun")\nwhile True: pass']);
    const result = await run(app, token, project.id);
    expect(result).toMatchObject({ status: 'aborted' });
    expect(result.error_reason).toContain('Limit reached');
    expect(shown(result)).toContain('begun');
    await expect
      .poll(async () => (await app.call<Quota>('GET', '/v1/me/quota', { token })).body.execution_used)
      .toBeGreaterThanOrEqual(2);
    const refused = await app.call('POST', `/v1/notebooks/${project.id}/runs`, { token, body: {} });
    expect(refused).toMatchObject({ status: 403, body: { details: { reason: 'usage_limit_reached' } } });
  });

  test('reaches the network only where the operator has enabled it, and on a paid plan', async () => {
    const server = createServer((_request, response) => response.end('reached')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const source = [
      'import urllib.request',
      'try:',
      `    print(urllib.request.urlopen("http://127.0.0.1:${port}").read().decode())`,
      'except Exception as error:',
      '    print("no way:", type(error).__name__)',
    ].join('\n');
    const open = await createTestApp({ kernels: 'real', env: { ATOLL_KERNEL_NETWORK: 'on' } });
    const kernels = await app.get<{ entries: { provider: string }[] }>((await app.person()).token, '/v1/kernels');
    // Python in WebAssembly has no sockets at all.
    const isLocal = kernels.body.entries[0]?.provider === 'local';
    const told = async (test: TestApp, plan: 'Free' | 'Pro', usesNetwork = true) => {
      const { token, id } = await test.person();
      await test.database.db.update(users).set({ plan }).where(eq(users.id, id));
      const project = await projectWith(test, token, [source]);
      await test.call('PATCH', `/v1/notebooks/${project.id}`, { token, body: { uses_network: usesNetwork } });
      return shown(await run(test, token, project.id));
    };
    expect(await told(open, 'Pro')).toContain(isLocal ? 'reached' : 'no way');
    expect(await told(open, 'Pro', false)).toContain('no way');
    expect(await told(open, 'Free')).toContain('no way');
    expect(await told(app, 'Pro')).toContain('no way');
  });

  test.runIf(isAvailable)(
    'installs packages for everyone who runs the project, if an editor installs them',
    async () => {
      const index = await startIndex([{ name: 'greeting', version: '1.1', source: 'words = "hello"' }]);
      onTestFinished(() => index.close());
      const open = await createTestApp({ kernels: 'real', env: { ATOLL_PACKAGE_INDEX: index.url } });
      const [owner, guest] = [await open.person(), await open.person()];
      const project = await projectWith(open, owner.token, [
        '%pip install greeting',
        'import greeting\ngreeting.words',
      ]);
      const use = await projectWith(open, owner.token, ['import greeting\nprint(greeting.words)']);
      for (const { id } of [project, use])
        await open.share(owner.token, id, guest.id, ['view', 'view_source', 'view_history', 'execute']);
      const first = await run(open, guest.token, project.id);
      expect(first).toMatchObject({ status: 'succeeded', error_reason: null });
      expect(shown(first)).toContain('Installed greeting 1.1');
      expect(await contentOf(open, owner.token, project.id, 'requirements.txt')).toBeNull();
      expect(await run(open, owner.token, project.id)).toMatchObject({ status: 'succeeded' });
      expect(await contentOf(open, owner.token, project.id, 'requirements.txt')).toBe('greeting==1.1\n');

      expect(await run(open, guest.token, use.id)).toMatchObject({ status: 'failed' });
      await open.createFile(owner.token, use.id, 'requirements.txt', 'greeting==1.1\n');
      expect(shown(await run(open, guest.token, use.id))).toContain('hello');

      const closed = await createTestApp({ kernels: 'real', env: { ATOLL_PACKAGES: 'off' } });
      const { token } = await closed.person();
      const refused = await run(closed, token, (await projectWith(closed, token, ['%pip install greeting'])).id);
      expect(refused.error_reason).toContain('Packages cannot be installed on this server');
    },
  );

  test('leaves out the output beyond the limit, and its kernel keeps running', async () => {
    const small = await createTestApp({ kernels: 'real', env: { ATOLL_OUTPUT_LIMIT: '3' } });
    const { token } = await small.person();
    const cells = ['kept = 7\nprint("y" * 20_000_000)', 'print("kept", kept)\n1 / 0'];
    const large = await run(small, token, (await projectWith(small, token, cells)).id);
    expect(large).toMatchObject({ status: 'failed' });
    expect(large.error_reason).toContain('ZeroDivisionError');
    expect(shown(large)).toContain('kept 7');
    expect(shown(large).length).toBeGreaterThan(3 * 1024 ** 2);
    expect(JSON.stringify(large)).toContain('It showed more than 3 MB. The rest was left out.');
  });
});
