import { tmpdir } from 'node:os';
import { kernelUser } from '../kernel-user.ts';
import { type KernelProvider, KernelStartError, type StartOptions } from '../port.ts';
import { failedToStart } from '../results.ts';
import { LocalKernel } from './kernel.ts';
import { installedSpecs, isStartable, type SpecPlaces } from './kernelspecs.ts';
import type { LifeContext } from './life.ts';
import { findCgroup, removeLeftGroups } from './limits/cgroup.ts';
import type { Floor } from './limits/machine.ts';
import { Watchdog } from './limits/watchdog.ts';
import { type Probe, probeSandbox } from './sandbox/probe.ts';

export interface LocalKernelOptions extends SpecPlaces {
  /** Sockets and temporary files; its path must be short. */
  runFolder?: string;
  /**
   * Root's sandboxes run as this user, who must be able to reach their folders: the limit of processes would not apply to
   * root itself.
   */
  user?: { uid: number; gid: number };
  /** A kernel with network shares the host's network, with all its listening services. Only on request. */
  sharesHostNetwork?: boolean;
  /** A delegated cgroup v2 folder; otherwise one is searched. */
  cgroup?: string;
  /** Runs without a sandbox, for a person alone on their own machine. */
  isUnsandboxed?: boolean;
  /** A kernel that stands still and has not answered for so long is ended. */
  lostAfterMs?: number;
  floor?: Floor;
}

const withoutSandbox = 'code runs without a sandbox: it can read and change all that this user can';

export function localKernels(options: LocalKernelOptions = {}): KernelProvider {
  const { runFolder = tmpdir(), lostAfterMs = 60_000, isUnsandboxed = false } = options;
  const user = isUnsandboxed ? null : kernelUser(options.user);
  const watchdog = new Watchdog({ runFolder, ...(options.floor ? { floor: options.floor } : {}) });
  const kernels = new Set<LocalKernel>();
  let probed: Promise<Probe & { context: LifeContext }> | null = null;
  const probe = () => {
    if (isUnsandboxed) {
      const context = { runFolder, user, watchdog, cgroup: { reason: withoutSandbox }, lostAfterMs, isUnsandboxed };
      return Promise.resolve({ holds: true, detail: withoutSandbox, context });
    }
    probed ??= findCgroup({ configured: options.cgroup }).then(async (cgroup) => {
      const parents = 'folder' in cgroup ? [cgroup.folder] : [cgroup.processors, cgroup.memory];
      for (const parent of parents) if (parent !== undefined) await removeLeftGroups(parent);
      const context = { runFolder, user, watchdog, cgroup, lostAfterMs, isUnsandboxed };
      return { ...(await probeSandbox(runFolder, user, cgroup)), context };
    });
    return probed;
  };
  const startable = async () => {
    if (!(await probe()).holds) return [];
    const specs = await installedSpecs(options);
    const can = await Promise.all(specs.map((spec) => isUnsandboxed || isStartable(spec)));
    return specs.filter((_, index) => can[index]);
  };

  return {
    name: 'local',
    async specs() {
      const specs = await startable();
      return specs.map(({ name, displayName, language, interruptMode }) => ({
        name,
        displayName,
        language,
        interruptMode,
      }));
    },
    async status() {
      const { holds, detail } = await probe();
      return { isAvailable: holds, detail, isSandboxed: !isUnsandboxed };
    },
    async start(wanted: StartOptions) {
      const { holds, detail, context } = await probe();
      if (!holds) throw new KernelStartError(failedToStart(detail));
      if (wanted.hasNetwork && !options.sharesHostNetwork && !isUnsandboxed) {
        throw new KernelStartError(failedToStart('kernels have no network here'));
      }
      const spec = (await startable()).find(({ name }) => name === wanted.spec);
      if (!spec) throw new KernelStartError(failedToStart(`there is no kernel ${wanted.spec}`));
      const kernel = new LocalKernel(context, spec, wanted, detail);
      kernels.add(kernel);
      void kernel.ended.then(() => kernels.delete(kernel));
      try {
        await kernel.start();
      } catch (error) {
        kernels.delete(kernel);
        throw error;
      }
      return kernel;
    },
    async close() {
      await Promise.all([...kernels].map((kernel) => kernel.stop()));
    },
  };
}
