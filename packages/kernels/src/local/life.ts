import { execFile } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { contentOf } from '../execution.ts';
import type { SandboxUser } from '../kernel-user.ts';
import { type KernelEnd, type KernelLimits, KernelStartError, type StartOptions } from '../port.ts';
import { failedToStart } from '../results.ts';
import { type ClientEvents, KernelClient } from '../zmq/client.ts';
import { connectionFile, newKey } from '../zmq/connection.ts';
import { Heartbeat } from '../zmq/heartbeat.ts';
import { endOf, failedLife, type Verdict } from './ends.ts';
import { type InstalledSpec, pathOf } from './kernelspecs.ts';
import { type Cgroup, type CgroupPlace, makeCgroup, makeOlderGroup } from './limits/cgroup.ts';
import { Throttle } from './limits/throttle.ts';
import type { Watchdog } from './limits/watchdog.ts';
import { startBare } from './sandbox/bare-process.ts';
import { inside, type SandboxPlan } from './sandbox/sandbox.ts';
import { startSandbox } from './sandbox/sandbox-process.ts';

const run = promisify(execFile);
const startTimeout = 60_000;
const longestRemovalMs = 1_000;
const endingMs = 3_000;

export interface LifeContext {
  /** Must be short: a socket's path has 107 bytes. */
  runFolder: string;
  user: SandboxUser;
  watchdog: Watchdog;
  cgroup: CgroupPlace;
  /** The time after which a stopped and silent kernel counts as lost. */
  lostAfterMs: number;
  /** Requested by a person alone on their own machine: code sees everything, and has no limits. */
  isUnsandboxed: boolean;
}

/** A kernel process from its start to its end; a restart begins the next life of the same kernel. */
export interface Life {
  client: KernelClient;
  heartbeat: Heartbeat;
  pid: number;
  /** Resolves after its last message has been published. */
  ended: Promise<KernelEnd>;
  end(verdict: Verdict): Promise<KernelEnd>;
  /** Interrupts by signal. */
  interrupt(): Promise<void>;
  /** Suspends the kernel while its messages cannot be stored. */
  hold(isHeld: boolean): void;
}

export async function startLife(
  context: LifeContext,
  spec: InstalledSpec,
  options: StartOptions,
  onMessage: ClientEvents['onMessage'],
): Promise<Life> {
  const { limits } = options;
  const [own] = await Promise.all([makeFolders(context, options.volume), giveFolder(options.folder, context.user)]);
  await fillHome(join(own.private, 'home'), spec.home ?? null, context.user);
  const key = newKey();
  const place = context.isUnsandboxed ? outside(options, own.connection) : inside;
  await writeFile(join(own.connection, 'connection.json'), connectionFile(key, `${place.connection}/s`));
  const plan = {
    command: spec.argv.map((part) => filledIn(part, spec, place.connection)),
    environment: {
      ...baseEnvironment(spec, place.home),
      ...(context.isUnsandboxed ? ownEnvironment(spec) : {}),
      ...spec.environment,
      ...options.environment,
      // An empty value means that there are no packages. Without a sandbox it has a pip of its own.
      ...(options.packagesFolder || !context.isUnsandboxed
        ? { ATOLL_PACKAGES: options.packagesFolder ? place.packages : '' }
        : {}),
    },
    folder: options.folder,
    privateFolder: own.private,
    connectionFolder: own.connection,
    accountsFolder: own.accounts,
    readable: spec.readable.filter((path) => !`${path}/`.startsWith('/usr/')),
    limits,
    hasNetwork: options.hasNetwork,
    packagesFolder: options.packagesFolder ?? null,
  };
  const { process, cgroup } = await startOrClean(plan, context, limits, [own.all, own.private]);
  const connection = { key, prefix: join(own.connection, 's') };
  let verdict: Verdict | null = null;
  const end = (why: Verdict): Promise<KernelEnd> => {
    verdict ??= why;
    process.kill();
    return ended;
  };
  const client = new KernelClient(connection, {
    onMessage,
    onHold: (isHeld) => process.hold('output', isHeld),
    // A process that ends by itself is gone by then.
    onClosed: () => void wait(endingMs, undefined, { ref: false }).then(() => end('connection')),
  });
  const heartbeat = new Heartbeat(connection);
  let stopWatching = () => {};
  const ended = process.exit.then(async (exit) => {
    stopWatching();
    await client.drain();
    client.close();
    heartbeat.close();
    for (const folder of [own.all, own.private]) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    if (cgroup?.wasOutOfMemory()) verdict ??= 'memory';
    // Very many processes take time to end; do not wait for them.
    await Promise.race([cgroup?.remove(), wait(longestRemovalMs, undefined, { ref: false })]);
    return endOf(exit, verdict, limits);
  });
  const failed = async (why: string) => {
    process.kill();
    const exit = await process.exit;
    await ended;
    return new KernelStartError(failedLife(why, exit));
  };
  const pid = await process.pid.catch(async () => {
    throw await failed('the sandbox was refused');
  });
  const folders = [options.folder, own.private, own.connection];
  if (!context.isUnsandboxed)
    stopWatching = context.watchdog.watch({
      pid,
      folders,
      volume: options.volume ?? null,
      hasOwnNetwork: !options.hasNetwork,
      limits,
      onExceeded: (reason) => void end(reason),
      cgroup,
      throttle: cgroup?.sharesProcessors ? null : new Throttle(limits.cpu, (isHeld) => process.hold('cpu', isHeld)),
      lostAfterMs: context.lostAfterMs,
      lastHeartbeat: () => heartbeat.last,
      isHeld: process.isHeld,
    });
  const outcome = await firstOf(client.ready(), process.exit);
  if (outcome !== 'ready') throw await failed(outcome);
  await closeFolder(own.connection, context.user);
  await keepUnread(client);
  const hold = (isHeld: boolean) => process.hold('unstored', isHeld);
  return { client, heartbeat, pid, ended, end, interrupt: () => process.signal('SIGINT'), hold };
}

async function startOrClean(plan: SandboxPlan, context: LifeContext, limits: KernelLimits, folders: string[]) {
  let cgroup: Cgroup | null = null;
  try {
    if (context.isUnsandboxed) return { process: startBare(plan), cgroup };
    cgroup = groupIn(context.cgroup, limits);
    return { process: startSandbox(plan, context.user, cgroup), cgroup };
  } catch (error) {
    await cgroup?.remove();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
    throw new KernelStartError(failedToStart((error as Error).message));
  }
}

function groupIn(place: CgroupPlace, limits: KernelLimits): Cgroup | null {
  return 'folder' in place ? makeCgroup(place.folder, limits) : makeOlderGroup(place, limits);
}

async function firstOf(ready: Promise<void>, exit: Promise<unknown>): Promise<string> {
  // It rejects when the kernel ends first, which `exit` reports.
  ready.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, startTimeout, 'it did not answer in time');
  });
  const outcome = await Promise.race([ready.then(() => 'ready'), exit.then(() => 'it ended at once'), late]);
  clearTimeout(timer);
  return outcome;
}

export async function makeFolders({ runFolder, user }: Pick<LifeContext, 'runFolder' | 'user'>, volume?: string) {
  const all = await mkdtemp(join(runFolder, 'kernel-'));
  const own = volume === undefined ? join(all, 'private') : await mkdtemp(join(volume, 'private-'));
  const folders = [join(all, 'accounts'), join(all, 'connection'), own, join(own, 'tmp'), join(own, 'home')];
  for (const folder of folders) await mkdir(folder, { recursive: true });
  for (const folder of [all, ...folders]) if (user) await chown(folder, user.uid, user.gid);
  await writeFile(join(all, 'accounts/passwd'), `user:x:1000:1000::${inside.home}:/bin/sh\n`);
  await writeFile(join(all, 'accounts/group'), 'user:x:1000:\n');
  return {
    all,
    accounts: join(all, 'accounts'),
    connection: join(all, 'connection'),
    private: own,
  };
}

/**
 * A ZeroMQ publisher drops messages beyond a thousand unread ones. This removes the limit; they stay in the kernel's own
 * memory.
 */
async function keepUnread(client: KernelClient): Promise<void> {
  if (client.info.implementation !== 'ipython') return;
  const code = `(lambda thread: thread.schedule(lambda: setattr(thread.socket, "sndhwm", 0)))(get_ipython().kernel.iopub_thread)`;
  await client.ask('execute_request', contentOf({ id: '', code, isSilent: true }));
}

/** Locks the folder once its sockets are connected, so that users' code cannot add or replace one. */
async function closeFolder(folder: string, user: SandboxUser): Promise<void> {
  if (user) await chown(folder, 0, 0);
  await chmod(folder, 0o555);
}

/** A kernel also starts without it, but then computes the content again. */
async function fillHome(home: string, from: string | null, user: SandboxUser): Promise<void> {
  if (from === null) return;
  await cp(from, home, { recursive: true }).catch(() => {});
  await giveFolder(home, user);
}

/**
 * Gives files that root put there to the sandbox's user. `chown` is safe while links are swapped; our own code would not
 * be.
 */
export async function giveFolder(folder: string, user: SandboxUser): Promise<void> {
  if (user) await run('chown', ['-RhP', '--from=0:0', `${user.uid}:${user.gid}`, '--', folder]);
}

/** The paths for code that sees the machine as it is. */
const outside = ({ folder, packagesFolder }: StartOptions, connection: string): typeof inside => ({
  home: homedir(),
  folder,
  connection,
  packages: packagesFolder ?? '',
});

const ownEnvironment = (spec: InstalledSpec) => ({
  PATH: [...(spec.prefix ? [join(spec.prefix, 'bin')] : []), process.env.PATH ?? ''].join(':'),
  USER: userInfo().username,
});

const filledIn = (part: string, spec: InstalledSpec, connection: string) =>
  part
    .replaceAll('{connection_file}', `${connection}/connection.json`)
    .replaceAll('{resource_dir}', spec.folder)
    .replaceAll('{prefix}', spec.prefix ?? '/usr');

const baseEnvironment = (spec: InstalledSpec, home: string) => ({
  PATH: pathOf(spec).join(':'),
  HOME: home,
  USER: 'user',
  LANG: 'C.UTF-8',
});
