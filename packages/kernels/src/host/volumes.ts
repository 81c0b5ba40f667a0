import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * File systems, each in an unnamed file as large as the limit of written data. However code hides its data (in unnamed
 * files that are mapped, or in transit in a socket), there is no more room.
 */
export interface Volumes {
  make(mount: string, bytes: number): Promise<void>;
  remove(mount: string): Promise<void>;
}

const prefix = 'atoll-';
/** The file names the mounting process, because a killed host leaves its volumes behind. */
const ownerFile = 'owner';

/** Null where volumes are not available: only root may mount, and not in every container. */
export async function findVolumes(runFolder: string): Promise<Volumes | null> {
  if (process.getuid?.() !== 0) return null;
  const probe = await mkdtemp(join(runFolder, prefix));
  try {
    await removeLeftVolumes(runFolder);
    await makeVolume(join(probe, 'volume'), 8 * 1024 ** 2);
    await removeVolume(join(probe, 'volume'));
    return { make: makeVolume, remove: removeVolume };
  } catch {
    return null;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

/** Claims this folder for the volumes of this process until it ends. */
export const ownVolumes = (folder: string) => writeFile(join(folder, ownerFile), String(process.pid));

async function makeVolume(mount: string, bytes: number): Promise<void> {
  const image = `${mount}.image`;
  await mkdir(mount);
  try {
    const file = await open(image, 'wx', 0o600);
    // Includes the overhead of the file system.
    await file.truncate(Math.ceil(bytes * 1.025) + 4 * 1024 ** 2).finally(() => file.close());
    const options = ['-E', 'lazy_itable_init=1,nodiscard', '-O', '^has_journal,^resize_inode', '-m', '0'];
    await run('mkfs.ext4', ['-q', '-F', ...options, image]);
    await run('mount', ['-o', 'loop,nosuid,nodev,noatime,discard', '--', image, mount]);
    await rmdir(join(mount, 'lost+found'));
    await chmod(mount, 0o711);
  } catch (error) {
    await removeVolume(mount);
    throw error;
  } finally {
    await rm(image, { force: true });
  }
}

async function removeVolume(mount: string): Promise<void> {
  // A process with an open file keeps the volume until it closes; no other process can enter.
  await run('umount', ['-l', '--', mount]).catch(() => {});
  await rmdir(mount).catch(() => {});
}

async function removeLeftVolumes(runFolder: string): Promise<void> {
  const mounts = await readFile('/proc/self/mountinfo', 'utf8');
  const left = new Set<string>();
  for (const line of mounts.split('\n')) {
    const mount = line.split(' ')[4] ?? '';
    const folder = dirname(mount);
    if (!folder.startsWith(join(runFolder, prefix)) || !line.includes(' /dev/loop')) continue;
    const owner = await readFile(join(folder, ownerFile), 'utf8').catch(() => '');
    if (owner === '' || isAlive(Number(owner))) continue;
    await removeVolume(mount);
    left.add(folder);
  }
  for (const folder of left) await rm(folder, { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
