import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * File systems of their own, each in a file without a name that is as large as what may be written. Whatever code does to hide
 * what it has written (files without a name that are mapped, or on their way in a socket), there is no more room.
 */
export interface Volumes {
  make(mount: string, bytes: number): Promise<void>;
  remove(mount: string): Promise<void>;
}

const prefix = 'atoll-';
/** Beside it is who mounted: a host that was killed leaves its volumes behind. */
const ownerFile = 'owner';

/** Null where they cannot be had: only root may mount, and not in every container. */
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

/** Where volumes are made from now on, until this process ends. */
export const ownVolumes = (folder: string) => writeFile(join(folder, ownerFile), String(process.pid));

async function makeVolume(mount: string, bytes: number): Promise<void> {
  const image = `${mount}.image`;
  await mkdir(mount);
  try {
    const file = await open(image, 'wx', 0o600);
    // What the file system needs for itself.
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
  // Whoever still has something open in it keeps it until then; no new one gets there.
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
