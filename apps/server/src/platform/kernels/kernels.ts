import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findHost, type HostConnection, type HostProcessOptions, type KernelHost, startHost } from '@atoll/kernels';

export type IdentifiedHost = KernelHost & { readonly hostId: string };

/** The kernel host of this server. */
export interface Kernels {
  /** This server among those on one database; the same after a restart. */
  serverId(): Promise<string>;
  /** Found or started when it is first needed. */
  host(): Promise<IdentifiedHost>;
  /** The one that runs already, with the kernels it has kept; none is started. */
  running(): Promise<IdentifiedHost | null>;
  /** Called with every host, before anything is asked of it. */
  onHost(listener: (host: IdentifiedHost) => void): void;
  /** Ends the host with all its kernels. */
  stop(): Promise<void>;
}

export function kernelsInProcess(options: HostProcessOptions): Kernels {
  let current: Promise<HostConnection> | null = null;
  const listeners: ((host: IdentifiedHost) => void)[] = [];
  const adopt = (connection: HostConnection): HostConnection => {
    connection.onLost(() => {
      current = null;
    });
    for (const listener of listeners) listener(connection);
    return connection;
  };
  const use = (found: Promise<HostConnection>) => {
    const adopted = found.then(adopt);
    current = adopted;
    adopted.catch(() => {
      if (current === adopted) current = null;
    });
    return adopted;
  };
  return {
    serverId: () => serverIdIn(options.folder),
    host: () => current ?? use(findHost(options.folder).then((found) => found ?? startHost(options))),
    async running() {
      if (current) return current;
      const found = await findHost(options.folder);
      return found && !current ? use(Promise.resolve(found)) : current;
    },
    onHost: (listener) => void listeners.push(listener),
    async stop() {
      const host = await (current ?? findHost(options.folder)).catch(() => null);
      current = null;
      await host?.close().catch(() => {});
    },
  };
}

async function serverIdIn(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'server-id');
  const known = await readFile(path, 'utf8').catch(() => null);
  if (known) return known.trim();
  const id = randomUUID();
  await writeFile(path, id, { mode: 0o600 });
  return id;
}

/** A host in this very process, for suites. */
export function kernelsHere(host: IdentifiedHost, serverId = randomUUID()): Kernels {
  let isKnown = false;
  const listeners: ((host: IdentifiedHost) => void)[] = [];
  const use = async () => {
    if (!isKnown) for (const listener of listeners) listener(host);
    isKnown = true;
    return host;
  };
  return {
    serverId: async () => serverId,
    host: use,
    running: use,
    onHost: (listener) => void listeners.push(listener),
    stop: async () => {},
  };
}
