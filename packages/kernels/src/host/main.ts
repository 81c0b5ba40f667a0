import { randomBytes } from 'node:crypto';
import { closeSync, writeSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createGatewayProvider } from '../gateway/provider.ts';
import { kernelUser } from '../kernel-user.ts';
import { usualFloor } from '../local/limits/machine.ts';
import { localKernels } from '../local/provider.ts';
import { Installer, pyodideLayers, pythonLayers } from '../packages/installer.ts';
import type { PackageSource } from '../packages/kernel-packages.ts';
import { PackageProblem } from '../packages/requirements.ts';
import type { KernelProvider } from '../port.ts';
import { Distribution, pyodideVersion } from '../pyodide/distribution.ts';
import { createPyodideProvider } from '../pyodide/provider.ts';
import { type PythonForEverybody, pythonForEverybody } from '../python/everybody.ts';
import { findPythons } from '../python/find.ts';
import { createHost, type HostOptions } from './host.ts';
import type { HostProcessOptions } from './options.ts';
import type { HostAddress } from './protocol.ts';
import { serveHost } from './server.ts';
import type { Preparation } from './types.ts';
import { findVolumes } from './volumes.ts';

/** The kernel host's process. Its kernels are its children, so they cannot outlive it. */
const options = JSON.parse(await text(process.stdin)) as HostProcessOptions;
const user = options.isUnsandboxed ? null : kernelUser();
let python: PythonForEverybody | null = null;
const local = localKernels({
  runFolder: options.runFolder,
  sharesHostNetwork: options.sharesHostNetwork,
  floor: { ...usualFloor, diskBytes: options.freeDiskBytes },
  isUnsandboxed: options.isUnsandboxed,
  ...(options.dataFolder ? { python: () => python?.current() ?? null } : {}),
});
/** Without a working sandbox, a Python has no use. */
const beginning = local.status().then(({ isAvailable }) => {
  const { dataFolder } = options;
  if (!dataFolder || !isAvailable) return;
  python = pythonForEverybody({
    dataFolder,
    environment: process.env,
    configured: options.python ?? undefined,
    user,
    onProgress: ({ phase, message }) => console.log(`python: ${phase}: ${message}`),
  });
});
let isBegun = false;
void beginning.finally(() => {
  isBegun = true;
});
/** Wait for the search: before it, the machine's own Python would be offered under the same name, without our packages. */
const searched = beginning.then(() => python?.searched);
const patient: KernelProvider = {
  ...local,
  specs: () => searched.then(local.specs),
  start: (wanted) => searched.then(() => local.start(wanted)),
};
const providers: KernelProvider[] = [
  patient,
  createPyodideProvider(),
  ...(options.gateway ? [createGatewayProvider(options.gateway)] : []),
];

function preparation(): Preparation {
  if (!python) return { state: isBegun ? 'absent' : 'preparing', progress: null, message: null };
  const { phase, fraction, message } = python.progress();
  // A Python that lacks packages serves while a better one is made.
  const isOver = phase === 'failed' || (phase === 'ready' && fraction === 1);
  const state = isOver ? phase : 'preparing';
  return { state, progress: fraction, message };
}

const host = await createHost({
  providers,
  packagesFor: packagesHere(),
  runFolder: options.runFolder,
  volumes: await findVolumes(options.runFolder),
  user,
  python: preparation,
  ...(options.spareLimits ? { spareLimits: options.spareLimits } : {}),
});

/** This process fetches Python's packages at a kernel's request, because kernels have no network. */
function packagesHere(): NonNullable<HostOptions['packagesFor']> {
  const { dataFolder, packages: rules } = options;
  if (!dataFolder || !rules) return () => null;
  const installer = new Installer({ folder: join(dataFolder, 'python/projects'), environment: process.env, rules });
  const distribution = new Distribution({
    folder: join(dataFolder, 'pyodide', pyodideVersion),
    ...(options.pyodideUrl ? { base: options.pyodideUrl } : {}),
  });
  let pip: Promise<string> | null = null;
  const pyodide: PackageSource = {
    modules: (names, say) => distribution.modules(names, say),
    async install(project, wanted) {
      pip ??= pythonWithPip();
      return installer.install(project, wanted, pyodideLayers(await pip, distribution));
    },
  };
  return (kind) => {
    if (kind === 'pyodide.pyodide') return pyodide;
    const current = kind === 'local.python3' ? python?.current() : null;
    return current ? { install: (project, wanted) => installer.install(project, wanted, pythonLayers(current)) } : null;
  };
}

/** It may lack other packages, because it only downloads. */
async function pythonWithPip(): Promise<string> {
  const found = await findPythons({ path: process.env.PATH, configured: options.python ?? undefined, packages: [] });
  const able = [python?.current(), ...found].find((each) => each?.has.pip);
  if (!able) throw new PackageProblem('This server has no Python with pip, which fetches packages.');
  return able.executable;
}

/** Keeps a spare of the kernel that most people's first cell uses: Python, the machine's own where possible. */
async function keepSpare(): Promise<void> {
  const found = (await local.specs()).find(({ language }) => language === 'python');
  host.keepSpares([found ? `local.${found.name}` : 'pyodide.pyodide']);
}
if (options.spareLimits) {
  void beginning.then(async () => {
    await python?.searched;
    const first = python?.current()?.executable;
    await keepSpare();
    // A spare that was started with a Python that lacks packages has no use any more.
    if ((await python?.settled)?.executable === first) return;
    host.keepSpares([]);
    await keepSpare();
  });
}

const socketFolder = await mkdtemp(join(options.runFolder, 'atoll-host-'));
await chmod(socketFolder, 0o700);
const address: HostAddress = {
  socket: join(socketFolder, 'host'),
  token: randomBytes(24).toString('base64url'),
  pid: process.pid,
};
const addressFile = join(options.folder, 'host.json');
const leave = async () => {
  await python?.close();
  await rm(socketFolder, { recursive: true, force: true });
  // Another host may have replaced ours.
  const ours = await readFile(addressFile, 'utf8').catch(() => '');
  if (ours.includes(address.token)) await rm(addressFile, { force: true });
  process.exit(0);
};
await serveHost(host, { ...address, graceMs: options.graceMs, onEnd: () => void leave() });
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => void host.close().finally(leave));
}
process.on('SIGHUP', () => {});
process.on('unhandledRejection', (error) => console.error(error));

await writeFile(`${addressFile}.new`, JSON.stringify(address), { mode: 0o600 });
await rename(`${addressFile}.new`, addressFile);
writeSync(3, 'ready\n');
closeSync(3);
