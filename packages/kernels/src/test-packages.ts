import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';

const needed = { bubblewrap: '/usr/bin/bwrap', 'python3-ipykernel': '/usr/share/jupyter/kernels/python3/kernel.json' };

/** Installs from Debian, for a fresh machine; elsewhere a person has to install them. */
export async function installKernelPackages(): Promise<void> {
  const run = promisify(execFile);
  const environment = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 64 * 1024 * 1024 };
  for (const [name, file] of Object.entries(needed)) {
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      continue;
    console.log(`Installing Debian's ${name} for the tests …`);
    await run('apt-get', ['update'], environment);
    await run('apt-get', ['install', '-y', '--no-install-recommends', name], environment);
  }
}
