import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  findHost,
  type HostConnection,
  HostLost,
  type HostProcessOptions,
  isHostGone,
  type KernelHost,
  startHost,
} from '@atoll/kernels/client';

export type IdentifiedHost = KernelHost & { readonly hostId: string };

/** The kernel host of this server. */
export interface Kernels {
  /** Identifies this server among those on one database; the same after a restart. */
  serverId(): Promise<string>;
  /** Finds or starts the host when it is first needed. */
  host(): Promise<IdentifiedHost>;
  /** Returns the host that already runs, with its kernels; never starts one. */
  running(): Promise<IdentifiedHost | null>;
  /** Called with every connection to a host, before its first request; a host that is found again has its old id. */
  onHost(listener: (host: IdentifiedHost) => void): void;
  /** Called when a host has really ended, and all its kernels with it. */
  onLost(listener: (hostId: string) => void): void;
  /** Leaves the host with all its kernels for this server's next start; no host is started after it. */
  leave(): Promise<void>;
  /** Ends the host with all its kernels; no host is started after it. */
  stop(): Promise<void>;
}

export function kernelsInProcess(options: HostProcessOptions): Kernels {
  let current: Promise<HostConnection | null> | null = null;
  let isStopped = false;
  let id: Promise<string> | null = null;
  const listeners: ((host: IdentifiedHost) => void)[] = [];
  const lostListeners: ((hostId: string) => void)[] = [];
  const resumed = async (lost: HostConnection): Promise<HostConnection | null> => {
    // Without this check two servers would take the host from each other in turns.
    const found = lost.isReplaced ? null : await findAgain(options.folder);
    if (found?.hostId !== lost.hostId) for (const listener of lostListeners) listener(lost.hostId);
    return found;
  };
  const adopt = (connection: HostConnection): HostConnection => {
    // Callers that request the host meanwhile wait for the reconnection.
    connection.onLost(() => void use(resumed(connection)));
    for (const listener of listeners) listener(connection);
    return connection;
  };
  const use = (found: Promise<HostConnection | null>) => {
    const adopted = found.then((connection) => connection && adopt(connection));
    current = adopted;
    const forget = () => {
      if (current === adopted) current = null;
    };
    adopted.then((connection) => connection ?? forget(), forget);
    return adopted;
  };
  const last = async (found: Promise<HostConnection | null> | null) => {
    isStopped = true;
    current = null;
    return found?.catch(() => null);
  };
  const host = async (): Promise<HostConnection> => {
    if (isStopped) throw new HostLost();
    const start = async () => (await findHost(options.folder)) ?? startHost(options);
    return (await (current ?? use(start()))) ?? host();
  };
  return {
    serverId: () => {
      id ??= serverIdIn(options.folder);
      return id;
    },
    host,
    running: async () => (isStopped ? null : (current ?? use(findHost(options.folder)))),
    onHost: (listener) => void listeners.push(listener),
    onLost: (listener) => void lostListeners.push(listener),
    async leave() {
      (await last(current))?.disconnect();
    },
    async stop() {
      await (await last(current ?? findHost(options.folder)))?.close().catch(() => {});
    },
  };
}

/** Reconnects to the host, because the connection can be lost though the host lives. */
async function findAgain(folder: string): Promise<HostConnection | null> {
  for (const wait of [0, 50, 150, 300, 500, 800]) {
    await setTimeout(wait);
    const found = await findHost(folder);
    // Stop early when the host has ended, because callers with code to run should know soon.
    if (found || (await isHostGone(folder))) return found;
  }
  return null;
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

/** Wraps a host in this very process, for test suites. */
export function kernelsHere(host: IdentifiedHost, serverId = randomUUID()): Kernels {
  let isKnown = false;
  let isStopped = false;
  const listeners: ((host: IdentifiedHost) => void)[] = [];
  const use = async () => {
    if (!isKnown) for (const listener of listeners) listener(host);
    isKnown = true;
    return host;
  };
  const leave = async () => {
    isStopped = true;
  };
  return {
    serverId: async () => serverId,
    host: async () => {
      if (isStopped) throw new HostLost();
      return use();
    },
    running: use,
    onHost: (listener) => void listeners.push(listener),
    onLost: (listener) => void host.onLost(() => listener(host.hostId)),
    leave,
    stop: leave,
  };
}
