import { existsSync, lstatSync, readlinkSync } from 'node:fs';

/** What a sandbox is made of; `sandboxArguments` says it in bubblewrap's words. */
export interface SandboxPlan {
  command: string[];
  environment: Record<string, string>;
  /** Bound read-write; everything below them is the user's. */
  folder: string;
  /** Its tmp and home; goes with the kernel. */
  privateFolder: string;
  connectionFolder: string;
  /** A made-up /etc/passwd and /etc/group: the host's would name its people. */
  accountsFolder: string;
  /** More of the host to read, such as a virtual environment. */
  readable: string[];
  limits: { memoryBytes: number; processes: number; fileBytes: number };
  hasNetwork: boolean;
  /** Read only, and filled while the kernel runs. */
  packagesFolder?: string | null;
}

export const inside = {
  home: '/home/user',
  folder: '/home/user/project',
  connection: '/run/kernel',
  packages: '/run/packages',
};

const system = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

const settings = [
  'alternatives',
  'ca-certificates.conf',
  'fonts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'locale.alias',
  'localtime',
  'magic',
  'mime.types',
  'python3',
  'python3.11',
  'python3.12',
  'python3.13',
  'R',
  'ssl/certs',
  'ssl/openssl.cnf',
  'timezone',
];

const networkSettings = ['hosts', 'nsswitch.conf', 'resolv.conf', 'services', 'protocols'];

export function sandboxArguments(plan: SandboxPlan): string[] {
  const { limits, hasNetwork } = plan;
  const options = [
    ['--unshare-all', ...(hasNetwork ? ['--share-net'] : []), '--unshare-user', '--disable-userns'],
    ['--die-with-parent', '--new-session', '--hostname', 'kernel', '--uid', '1000', '--gid', '1000'],
    ['--ro-bind', '/usr', '/usr'],
    ...system.flatMap(sameAsHost),
    ...[...settings, ...(hasNetwork ? networkSettings : [])].map((name) => readOnly(`/etc/${name}`)),
    ['--ro-bind', `${plan.accountsFolder}/passwd`, '/etc/passwd'],
    ['--ro-bind', `${plan.accountsFolder}/group`, '/etc/group'],
    ['--proc', '/proc', '--dev', '/dev'],
    // In memory that belongs to no process: kept small, and the rest of /dev closed.
    ['--perms', '1777', '--size', String(Math.ceil(limits.memoryBytes / 4)), '--tmpfs', '/dev/shm'],
    ['--remount-ro', '/dev'],
    ['--bind', `${plan.privateFolder}/tmp`, '/tmp', '--symlink', '/tmp', '/var/tmp'],
    ['--bind', `${plan.privateFolder}/home`, inside.home, '--bind', plan.folder, inside.folder],
    ['--bind', plan.connectionFolder, inside.connection],
    ...(plan.packagesFolder ? [['--ro-bind', plan.packagesFolder, inside.packages]] : []),
    // After the user's own folders: it may lie below a place that they cover.
    ...plan.readable.map(readOnly),
    // The root is a file system in memory too.
    ['--remount-ro', '/', '--chdir', inside.folder, '--clearenv'],
    ...Object.entries(plan.environment).map(([name, value]) => ['--setenv', name, value]),
  ];
  const all = options.flat();
  // The options are told apart by zero bytes: one in a value would begin another option.
  if (all.some((option) => option.includes('\0'))) throw new Error('A zero byte in a path or a variable');
  return all;
}

const readOnly = (path: string) => (existsSync(path) ? ['--ro-bind', path, path] : []);

/** /bin is a link on most machines and a folder on some. */
function sameAsHost(path: string): string[][] {
  if (!existsSync(path)) return [];
  return [lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]];
}

/**
 * RLIMIT_DATA is for each process and counts what is asked for, not what is used: it stops a leap that the watchdog
 * would be too slow for, with an error the user's code can see. RLIMIT_AS would fail what merely reserves addresses.
 */
export function limitedCommand({ command, limits }: SandboxPlan): string[] {
  return [
    '/usr/bin/prlimit',
    `--data=${limits.memoryBytes * 2}`,
    `--nproc=${limits.processes}`,
    `--fsize=${limits.fileBytes}`,
    '--nofile=4096',
    '--core=0',
    '--',
    ...command,
  ];
}
