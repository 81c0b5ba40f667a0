import { existsSync, lstatSync, readlinkSync } from 'node:fs';

/** The parts of a sandbox; `sandboxArguments` translates them for bubblewrap. */
export interface SandboxPlan {
  command: string[];
  environment: Record<string, string>;
  /** Bound read-write; everything below belongs to the user. */
  folder: string;
  /** Its tmp and home; removed with the kernel. */
  privateFolder: string;
  connectionFolder: string;
  /** A generated /etc/passwd and /etc/group, because the host's would name its people. */
  accountsFolder: string;
  /** More readable paths of the host, such as a virtual environment. */
  readable: string[];
  limits: { memoryBytes: number; processes: number; fileBytes: number };
  hasNetwork: boolean;
  /** Read only for the sandbox, and filled while the kernel runs. */
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
    // This memory belongs to no process, so keep it small and close the rest of /dev.
    ['--perms', '1777', '--size', String(Math.ceil(limits.memoryBytes / 4)), '--tmpfs', '/dev/shm'],
    ['--remount-ro', '/dev'],
    ['--bind', `${plan.privateFolder}/tmp`, '/tmp', '--symlink', '/tmp', '/var/tmp'],
    ['--bind', `${plan.privateFolder}/home`, inside.home, '--bind', plan.folder, inside.folder],
    ['--bind', plan.connectionFolder, inside.connection],
    ...(plan.packagesFolder ? [['--ro-bind', plan.packagesFolder, inside.packages]] : []),
    // After the user's own folders, because it may be below a place that they cover.
    ...plan.readable.map(readOnly),
    // The root is a file system in memory too.
    ['--remount-ro', '/', '--chdir', inside.folder, '--clearenv'],
    ...Object.entries(plan.environment).map(([name, value]) => ['--setenv', name, value]),
  ];
  const all = options.flat();
  // Zero bytes separate the options, so one in a value would begin another option.
  if (all.some((option) => option.includes('\0'))) throw new Error('A zero byte in a path or a variable');
  return all;
}

const readOnly = (path: string) => (existsSync(path) ? ['--ro-bind', path, path] : []);

/** Adds a path as it is on the host: /bin is a link on most machines and a folder on some. */
function sameAsHost(path: string): string[][] {
  if (!existsSync(path)) return [];
  return [lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]];
}

/**
 * RLIMIT_DATA applies to each process and counts requested memory, not used memory: it stops a leap that the watchdog would
 * be too slow for, with an error that the user's code can see. RLIMIT_AS would fail code that merely reserves addresses.
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
