import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { giveFolder } from '../local/life.ts';
import { KernelPackages, type PackageSource } from '../packages/kernel-packages.ts';
import type { Kernel, KernelLimits, KernelProvider } from '../port.ts';
import { helperCode } from '../python/helper.ts';
import { HostedKernel } from './hosted-kernel.ts';
import { Spares } from './spares.ts';
import {
  type HostEvent,
  type HostStatus,
  type KernelHost,
  type KernelKind,
  type OpenRequest,
  type Preparation,
  UnknownKernel,
} from './types.ts';
import { ownVolumes, type Volumes } from './volumes.ts';

export interface HostOptions {
  providers: KernelProvider[];
  /** Working folders are created here; users' code must be able to reach it. */
  runFolder: string;
  /** The user to whom root gives the files in working folders. */
  user?: { uid: number; gid: number } | null;
  /** Puts each local kernel's files in a file system of its own. */
  volumes?: Volumes | null;
  /** Spares are started with these limits. */
  spareLimits?: KernelLimits;
  python?: () => Preparation;
  /** The package source for kernels of a kind; without it there are no packages. */
  packagesFor?: (kind: string) => PackageSource | null;
}

export interface Host extends KernelHost {
  /** The follower is gone: nothing is published until the next `follow`. */
  unfollow(): void;
  /** Keeps one started kernel of each of these kinds ready. */
  keepSpares(kinds: string[]): void;
}

/** Longer than a short cell takes: all of its events are sent with its end, and the server wakes up once. */
const gatherMs = 20;
const gathered = 100;
const isQuestion = (event: HostEvent) => event.type === 'message' && event.message.channel === 'stdin';

/** Files reach a remote kernel only through Python code that writes them. */
async function hasFolder(provider: KernelProvider | undefined, spec: string): Promise<boolean> {
  if (provider?.name !== 'gateway') return true;
  const specs = await provider.specs().catch(() => []);
  return specs.some(({ name, language }) => name === spec && language === 'python');
}

/** Makes a volume; without one, written data is counted. */
const isMade = (volumes: Volumes, place: string, bytes: number): Promise<boolean> =>
  volumes.make(place, bytes).then(
    () => true,
    (error: unknown) => {
      console.error(error);
      return false;
    },
  );

/** The host itself; in its own process it is behind a socket (`server.ts`). */
export async function createHost(options: HostOptions): Promise<Host> {
  const hostId = randomUUID();
  const folders = await mkdtemp(join(options.runFolder, 'atoll-'));
  // The sandboxes' user can reach it, but no other user can list it.
  await chmod(folders, 0o711);
  const kernels = new Map<string, HostedKernel>();
  const followed = new Set<string>();
  const listeners = new Set<(events: HostEvent[]) => void>();

  let waiting: HostEvent[] = [];
  let timer: NodeJS.Timeout | null = null;
  const publish = (event: HostEvent) => {
    if (!followed.has(event.kernelId)) return;
    waiting.push(event);
    // Batch events: only an end or a question is urgent, because a client waits for it.
    const isUrgent = event.type === 'finished' || event.type === 'ended' || isQuestion(event);
    if (isUrgent || waiting.length >= gathered) flush();
    else timer ??= setTimeout(flush, gatherMs);
  };
  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    const events = waiting;
    waiting = [];
    for (const listener of listeners) listener(events);
  };

  const providerOf = (kind: string) => {
    const [name = '', ...spec] = kind.split('.');
    return { provider: options.providers.find((each) => each.name === name), spec: spec.join('.') };
  };
  const { volumes } = options;
  if (volumes) await ownVolumes(folders);
  /** The volume of each folder inside one. */
  const mounted = new Map<string, string>();
  const makeFolder = async ({ id, kind, limits }: OpenRequest) => {
    const place = join(folders, id);
    const isLocal = providerOf(kind).provider?.name === 'local';
    const hasVolume = isLocal && volumes ? await isMade(volumes, place, limits.folderBytes) : false;
    const folder = hasVolume ? join(place, 'project') : place;
    if (hasVolume) mounted.set(folder, place);
    await mkdir(folder, { mode: 0o700 });
    return folder;
  };
  const remove = async (folder: string) => {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    const volume = mounted.get(folder);
    if (volume && mounted.delete(folder)) await volumes?.remove(volume);
  };
  const packagesOf = ({ id, kind }: OpenRequest): KernelPackages | null => {
    const source = options.packagesFor?.(kind);
    return source ? new KernelPackages(join(folders, `${id}-packages`), source) : null;
  };
  const start = async (
    { kind, environment, limits, hasNetwork }: OpenRequest,
    folder: string,
    packages: KernelPackages | null,
  ): Promise<Kernel> => {
    const { provider, spec } = providerOf(kind);
    if (!provider) throw new Error(`There is no provider for ${kind}`);
    await packages?.make();
    const volume = mounted.get(folder);
    const place = volume === undefined ? { folder } : { folder, volume };
    const packagesFolder = packages?.folder ?? null;
    const kernel = await provider.start({ spec, ...place, environment, limits, hasNetwork, packagesFolder });
    await help(kernel);
    return kernel;
  };
  /** Runs first, so that later listeners do not see its messages. */
  const help = async (kernel: Kernel) => {
    if (kernel.spec.language !== 'python' || kernel.spec.name === 'fake') return;
    await kernel.execute({ id: randomUUID(), code: helperCode, isSilent: true, storesHistory: false });
  };
  const spares = new Spares(options.spareLimits ?? ({} as KernelLimits), async (request) => {
    const folder = await makeFolder(request);
    const packages = packagesOf(request);
    const discard = async () => void (await Promise.all([remove(folder), packages?.close()]));
    const kernel = await start(request, folder, packages).catch(async (error: unknown) => {
      await discard();
      throw error;
    });
    return { kernel, folder, packages, discard };
  });

  const find = (id: string): HostedKernel => {
    const kernel = kernels.get(id);
    if (!kernel) throw new UnknownKernel(id);
    return kernel;
  };
  /** Two calls at once open one kernel. */
  const opening = new Map<string, Promise<HostedKernel>>();
  const open = async (request: OpenRequest): Promise<HostedKernel> => {
    const spare = await spares.take(request);
    const { provider, spec } = providerOf(request.kind);
    const folder = spare?.folder ?? (await makeFolder(request));
    const packages = spare ? spare.packages : packagesOf(request);
    const starting = spare ? Promise.resolve(spare.kernel) : start(request, folder, packages);
    const { project } = request;
    const kernel = new HostedKernel(
      {
        packages,
        // The packages folder exists once the kernel has started.
        prepared: starting.then(
          () => (project && packages?.assign(project.id, project.requirements)) ?? null,
          () => null,
        ),
        id: request.id,
        kind: request.kind,
        environment: request.environment,
        folder: (await hasFolder(provider, spec)) ? folder : null,
        start: starting,
      },
      publish,
    );
    kernels.set(request.id, kernel);
    followed.add(request.id);
    return kernel;
  };

  return {
    async kinds() {
      const all = await Promise.all(
        options.providers.map(async (provider): Promise<KernelKind[]> => {
          const specs = await provider.specs().catch(() => []);
          return specs.map((spec) => ({ ...spec, provider: provider.name, id: `${provider.name}.${spec.name}` }));
        }),
      );
      return all.flat();
    },
    async status(): Promise<HostStatus> {
      const providers = await Promise.all(
        options.providers.map(async (provider) => ({ name: provider.name, ...(await provider.status()) })),
      );
      const python = options.python?.() ?? { state: 'absent' as const, progress: null, message: null };
      return { hostId, providers, python, kernels: kernels.size };
    },
    kernels: async () => [...kernels.values()].map((kernel) => kernel.view),
    async open(request) {
      const known = kernels.get(request.id);
      if (known) return known.view;
      const promise = opening.get(request.id) ?? open(request);
      opening.set(request.id, promise);
      return (await promise.finally(() => opening.delete(request.id))).view;
    },
    async handOver(id) {
      const { folder } = find(id);
      if (folder) await giveFolder(folder, options.user ?? null);
    },
    async follow(id, after) {
      const kernel = find(id);
      // Waiting events are in the journal, too.
      waiting = waiting.filter(({ kernelId }) => kernelId !== id);
      followed.add(id);
      const missed = kernel.after(after);
      if (missed.length > 0) for (const listener of listeners) listener(missed);
    },
    stored(id, sequence) {
      const kernel = kernels.get(id);
      kernel?.stored(sequence);
      if (!kernel?.isDone) return;
      kernels.delete(id);
      if (kernel.folder) void remove(kernel.folder);
      void kernel.packages?.close();
    },
    execute: async (id, execution) => find(id).execute(execution),
    allow: async (id, executionId, limitMs) => find(id).allow(executionId, limitMs),
    mute: async (id, executionId) => find(id).mute(executionId),
    complete: async (id, code, cursor) => (await find(id).kernel()).complete(code, cursor),
    inspect: async (id, code, cursor, detail) => (await find(id).kernel()).inspect(code, cursor, detail),
    comm: async (id, message) => (await find(id).kernel()).comm?.(message),
    reply: async (id, value) => (await find(id).kernel()).reply(value),
    interrupt: (id, executionId) => find(id).interrupt(executionId),
    async restart(id) {
      const kernel = await find(id).kernel();
      await kernel.restart();
      await help(kernel);
    },
    async stop(id) {
      await kernels.get(id)?.stop();
    },
    usage: async (id) => (await find(id).kernel()).usage(),
    onEvents(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onLost: () => () => {},
    unfollow() {
      followed.clear();
      waiting = [];
    },
    keepSpares: (kinds) => spares.keep(kinds),
    async close() {
      await spares.close();
      await Promise.all([...kernels.values()].map((kernel) => kernel.stop()));
      await Promise.all(options.providers.map((provider) => provider.close()));
      for (const folder of [...mounted.keys()]) await remove(folder);
      await remove(folders);
    },
  };
}
