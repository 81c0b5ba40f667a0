import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecuteResult, Kernel, KernelMessage, StartOptions } from '../../port.ts';
import { createPyodideProvider } from '../provider.ts';

const MB = 1024 * 1024;

export interface TestKernel {
  kernel: Kernel;
  folder: string;
  /** All messages of the kernel. */
  messages: KernelMessage[];
  run(code: string): Promise<ExecuteResult & { text: string; messages: KernelMessage[] }>;
  close(): Promise<void>;
}

export async function startTestKernel(
  prepare: (folder: string) => Promise<void> = async () => undefined,
): Promise<TestKernel> {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-kernel-'));
  await prepare(folder);
  const provider = createPyodideProvider();
  const limits: StartOptions['limits'] = {
    memoryBytes: 512 * MB,
    processes: 1,
    fileBytes: 4 * MB,
    folderBytes: 10 * MB,
    cpu: 1,
  };
  const kernel = await provider.start({
    spec: 'pyodide',
    folder,
    environment: { GREETING: 'hello' },
    limits,
    hasNetwork: false,
  });
  const messages: KernelMessage[] = [];
  kernel.onMessage((message) => messages.push(message));
  let count = 0;
  return {
    kernel,
    folder,
    messages,
    async run(code) {
      count += 1;
      const id = `run-${count}`;
      const result = await kernel.execute({ id, code, allowsInput: true });
      const mine = messages.filter(({ executionId }) => executionId === id);
      const text = mine.map(({ type, content }) => (type === 'stream' ? content.text : '')).join('');
      return { ...result, text, messages: mine };
    },
    async close() {
      await provider.close();
      await rm(folder, { recursive: true });
    },
  };
}
