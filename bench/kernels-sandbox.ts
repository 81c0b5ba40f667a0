import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kernelUser } from '../packages/kernels/src/kernel-user.ts';
import { giveFolder, makeFolders } from '../packages/kernels/src/local/life.ts';
import { Sessions } from '../packages/kernels/src/local/limits/giving-way.ts';
import { sampleProcesses, treeOf } from '../packages/kernels/src/local/limits/processes.ts';
import { inside } from '../packages/kernels/src/local/sandbox/sandbox.ts';
import { startSandbox } from '../packages/kernels/src/local/sandbox/sandbox-process.ts';
import { connectionFile, newKey } from '../packages/kernels/src/zmq/connection.ts';

export const benchLimits = {
  memoryBytes: 2_000_000_000,
  processes: 128,
  fileBytes: 1_000_000_000,
  folderBytes: 1_000_000_000,
  cpu: 8,
};

/** The sandbox of a kernel and nothing else of ours, for the command that is measured. */
export async function sandboxFolders() {
  const user = kernelUser();
  const own = await makeFolders({ runFolder: tmpdir(), user });
  const folder = join(own.all, 'project');
  await mkdir(folder);
  await giveFolder(folder, user);
  const start = (command: string[]) =>
    startSandbox(
      {
        command,
        environment: { PATH: '/usr/bin:/bin', HOME: inside.home, USER: 'user', LANG: 'C.UTF-8' },
        folder,
        privateFolder: own.private,
        connectionFolder: own.connection,
        accountsFolder: own.accounts,
        readable: [],
        limits: benchLimits,
        hasNetwork: false,
      },
      user,
    );
  return {
    start,
    connection: own.connection,
    async remove() {
      await rm(own.all, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** A kernel that nobody of ours listens to. */
export async function startBareSandbox() {
  const { start, connection, remove } = await sandboxFolders();
  const key = newKey();
  await writeFile(join(connection, 'connection.json'), connectionFile(key, `${inside.connection}/s`));
  const file = `${inside.connection}/connection.json`;
  const sandbox = start(['/usr/bin/python3', '-m', 'ipykernel_launcher', '-f', file]);
  return {
    address: { key, prefix: join(connection, 's') },
    /** As every kernel in a sandbox does once it runs; else the two would be given unequal shares of a busy machine. */
    async giveWay() {
      new Sessions().giveWay(treeOf(await sandbox.pid, sampleProcesses()));
    },
    async close() {
      sandbox.kill();
      await sandbox.exit;
      await remove();
    },
  };
}
