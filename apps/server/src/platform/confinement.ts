import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { callFilter, filterDescriptor } from '@atoll/trading/backtest/hosts/call-filter';

const server = join(import.meta.dirname, '../..');
const root = join(server, '../..');

interface Reach {
  readable: string[];
  writable: string;
}

/**
 * The command line that starts a confined program. The program sees this server's code, the files it has to read and the
 * one folder it may write to; it gets no network, processes, database or keys. Empty where bubblewrap is missing or not
 * permitted.
 */
export function confinement(reach: Reach): string[] {
  const prefix = confined(reach);
  try {
    const [program = '', ...options] = prefix;
    execFileSync(program, [...options, process.execPath, '--version'], { env: {}, stdio: 'ignore', timeout: 10_000 });
    return prefix;
  } catch {
    return [];
  }
}

/** The same without a trial run, for callers that know that confinement works here. */
export function confined(reach: Reach): string[] {
  const readable = [
    ...['/etc/ld.so.cache', '/etc/localtime'],
    join(root, 'node_modules'),
    join(root, 'packages'),
    join(root, 'package.json'),
    join(server, 'node_modules'),
    join(server, 'src'),
    join(server, 'package.json'),
    dirname(realpathSync(process.execPath)),
    ...reach.readable,
  ];
  return [...sandbox(readable), '--bind', reach.writable, reach.writable, ...closed];
}

/**
 * Confines a process that runs people's code and is judged by another process. It sees only its own program and cannot find
 * out which of several it is. Files it leaves in its own devices disappear with it.
 */
export const confinedHost = (readable: string[], isFiltered = callFilter().length > 0): string[] => [
  ...sandbox(['/etc/ld.so.cache', ...readable]),
  ...['--remount-ro', '/dev', ...(isFiltered ? ['--seccomp', String(filterDescriptor)] : []), ...closed],
];

const closed = ['--remount-ro', '/', '--chdir', '/', '--'];

function sandbox(readable: string[]): string[] {
  const system = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].filter(existsSync);
  return [
    ['bwrap', '--unshare-all', '--unshare-user', '--disable-userns', '--uid', '61000', '--gid', '61000'],
    ['--cap-drop', 'ALL', '--die-with-parent', '--new-session', '--proc', '/proc', '--dev', '/dev'],
    ...system.map((path) =>
      lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path],
    ),
    ...['/usr', ...readable].filter((path) => existsSync(path)).map((path) => ['--ro-bind', path, path]),
  ].flat();
}
