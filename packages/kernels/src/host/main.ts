import { randomBytes } from 'node:crypto';
import { closeSync, writeSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createGatewayProvider } from '../gateway/provider.ts';
import { localKernels } from '../local/provider.ts';
import type { KernelProvider } from '../port.ts';
import { createPyodideProvider } from '../pyodide/provider.ts';
import { createHost } from './host.ts';
import type { HostProcessOptions } from './options.ts';
import type { HostAddress } from './protocol.ts';
import { serveHost } from './server.ts';

/** The kernel host's process. Its kernels are its children: they cannot outlive it. */
const options = JSON.parse(await text(process.stdin)) as HostProcessOptions;
const sandboxUser = process.getuid?.() === 0 ? { uid: 61_000, gid: 61_000 } : null;
const providers: KernelProvider[] = [
  localKernels({
    runFolder: options.runFolder,
    sharesHostNetwork: options.sharesHostNetwork,
    ...(sandboxUser ? { user: sandboxUser } : {}),
  }),
  createPyodideProvider(),
  ...(options.gateway ? [createGatewayProvider(options.gateway)] : []),
];

/** The first of each language on this machine: most people use the default. */
async function spareKinds(): Promise<string[]> {
  const [local] = providers;
  const specs = (await local?.specs()) ?? [];
  const isPython = specs.find(({ language }) => language === 'python');
  return isPython ? [`local.${isPython.name}`] : ['pyodide.pyodide'];
}

const host = await createHost({
  providers,
  runFolder: options.runFolder,
  user: sandboxUser,
  ...(options.spareLimits ? { spares: { kinds: await spareKinds(), limits: options.spareLimits } } : {}),
});

const socketFolder = await mkdtemp(join(options.runFolder, 'atoll-host-'));
await chmod(socketFolder, 0o700);
const address: HostAddress = {
  socket: join(socketFolder, 'host'),
  token: randomBytes(24).toString('base64url'),
  pid: process.pid,
};
const addressFile = join(options.folder, 'host.json');
const leave = async () => {
  await rm(socketFolder, { recursive: true, force: true });
  // Another host may have taken our place.
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
