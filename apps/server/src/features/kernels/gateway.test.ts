import type { Run, RunDetail } from '@atoll/contract';
import { startJupyterServer } from '@atoll/kernels/jupyter-server-for-tests';
import { expect, onTestFinished, test } from 'vitest';
import { code } from '../../test/set-ups/notebooks.ts';
import { createTestApp } from '../../test/test-app.ts';

test('a run on another machine gets the files and the secrets, and returns the files it wrote', async () => {
  const server = await startJupyterServer();
  onTestFinished(() => server.close());
  const env = { ATOLL_GATEWAY_URL: server.url, ATOLL_GATEWAY_TOKEN: server.token };
  const app = await createTestApp({ kernels: 'real', env });
  const { token } = await app.person();
  await app.call('POST', '/v1/secrets', { token, body: { key: 'API_KEY', secret: 'hunter2-hunter2' } });
  const source = `import os
text = open("in.csv").read()
os.makedirs("out")
with open("out/result.txt", "w") as file: file.write(text.upper())
print(os.environ["API_KEY"], len(os.environ["API_KEY"]))`;
  const project = await app.notebookProject(token, [code(source, 'c')]);
  const files = `/v1/notebooks/${project.id}`;
  await app.createFile(token, project.id, 'in.csv', 'grüße');
  const begun = await app.call<Run>('POST', `${files}/runs`, { token, body: { kernel: 'gateway.python3' } });
  const get = async () => (await app.call<RunDetail>('GET', `${files}/runs/${begun.body.id}`, { token })).body;
  await expect.poll(async () => (await get()).status, { interval: 200 }).not.toBe('running');
  expect(await get()).toMatchObject({
    status: 'succeeded',
    error_reason: null,
    executions: [{ outputs: [{ text: '[secret API_KEY] 15\n' }] }],
  });
  const tree = await app.call<{ files: { id: string; path: string }[] }>('GET', `${files}/files-dirs`, { token });
  const written = tree.body.files.find(({ path }) => path === 'out/result.txt');
  expect((await app.call('GET', `${files}/file_raw_contents/${written?.id}`, { token })).body).toBe('GRÜSSE');
});
