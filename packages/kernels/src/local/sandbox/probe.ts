import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SandboxUser } from '../../kernel-user.ts';
import { giveFolder, makeFolders } from '../life.ts';
import type { CgroupPlace, OlderPlaces } from '../limits/cgroup.ts';
import { startSandbox } from './sandbox-process.ts';
import { seccompFilter } from './seccomp.ts';

export interface Probe {
  holds: boolean;
  /** Describes the sandbox, or the reason why there is none. */
  detail: string;
}

/** Each prints its name when the sandbox holds. */
const attempts: Record<string, string> = {
  'host files': '! cat "$SECRET" /etc/shadow 2>/dev/null | grep -q .',
  'host folders': '[ ! -e /root ] && [ ! -e /var/run ] && [ ! -e /sys ] && [ ! -e /home/user/project/../../../boot ]',
  'host processes': '[ "$(ls -d /proc/[0-9]* | wc -l)" -lt 10 ] && grep -q bwrap /proc/1/comm',
  'host environment': '[ "$(tr "\\0" "\\n" </proc/1/environ | grep -vc ^PATH=)" = 0 ]',
  network: '[ "$(tail -n +3 /proc/net/dev | grep -vc "^ *lo:")" = 0 ]',
  'writing outside': '! touch /probe /usr/probe /etc/probe /dev/probe 2>/dev/null',
  'writing inside': 'touch "$PWD/probe" /tmp/probe "$HOME/probe"',
  privileges: 'grep -q "^CapBnd:.0*$" /proc/self/status && grep -q "^NoNewPrivs:.1" /proc/self/status',
  namespaces: '! unshare -U true 2>/dev/null',
  memory: '! head -c 200000000 /dev/zero 2>/dev/null | tail -c 200000000 >/dev/null 2>&1',
  'file size': '! (head -c 2000000 /dev/zero >/tmp/large) 2>/dev/null',
  processes: `! (${'sleep 5 & '.repeat(40)}) 2>/dev/null`,
};

/** Starts a real sandbox and tries to get out of it. */
export async function probeSandbox(runFolder: string, user: SandboxUser, cgroup: CgroupPlace): Promise<Probe> {
  const version = await promisify(execFile)('bwrap', ['--version']).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
  if (version === null) return { holds: false, detail: 'bubblewrap is not installed' };
  const own = await makeFolders({ runFolder, user });
  try {
    const folder = join(own.all, 'project');
    await mkdir(folder);
    await giveFolder(folder, user);
    const secret = join(own.all, 'secret');
    await writeFile(secret, 'secret', { mode: 0o644 });
    const script = Object.entries(attempts).map(([name, attempt]) => `if ${attempt}; then echo "${name}"; fi`);
    const sandbox = startSandbox(
      {
        command: ['/bin/sh', '-c', script.join('\n')],
        environment: { PATH: '/usr/bin:/bin', HOME: '/home/user', SECRET: secret },
        folder,
        privateFolder: own.private,
        connectionFolder: own.connection,
        accountsFolder: own.accounts,
        readable: [],
        limits: { memoryBytes: 32_000_000, processes: 24, fileBytes: 1_000_000 },
        hasNetwork: false,
      },
      user,
    );
    const { lastWords } = await sandbox.exit;
    const held = new Set((await sandbox.output).split('\n'));
    const broken = Object.keys(attempts).filter((name) => !held.has(name));
    if (held.size === 1) return { holds: false, detail: `${version} cannot make a sandbox: ${lastWords.trim()}` };
    if (broken.length > 0) return { holds: false, detail: `${version} does not hold: ${broken.join(', ')}` };
    const limits = 'folder' in cgroup ? 'cgroup v2, rlimits' : `${olderTrees(cgroup)}rlimits (${cgroup.reason})`;
    const filter = seccompFilter() ? 'system calls filtered' : 'system calls not filtered';
    return { holds: true, detail: `${version}, ${filter}, limits by ${limits} and a watchdog` };
  } finally {
    await rm(own.all, { recursive: true, force: true, maxRetries: 3 });
  }
}

function olderTrees({ processors, memory }: OlderPlaces): string {
  const trees = [...(memory ? ['memory'] : []), ...(processors ? ['processors'] : [])];
  return trees.length > 0 ? `cgroup v1 of ${trees.join(' and ')}, ` : '';
}
