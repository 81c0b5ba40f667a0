import { KernelAPI, KernelManager, KernelSpecAPI, ServerConnection } from '@jupyterlab/services';
import { WebSocket } from 'ws';
import { type KernelProvider, type KernelSpec, KernelStartError } from '../port.ts';
import { ending } from '../results.ts';
import { GatewayKernel } from './kernel.ts';

export interface GatewayOptions {
  url: string;
  token: string;
  /** The time limit for reconnection attempts. */
  lostAfterMs?: number;
}

/** Kernels of a Jupyter Server, Kernel Gateway or Enterprise Gateway. Isolation and limits are the gateway's. */
export function createGatewayProvider({ url, token, lostAfterMs = 60_000 }: GatewayOptions): KernelProvider {
  const settings = ServerConnection.makeSettings({
    baseUrl: url,
    wsUrl: url.replace(/^http/, 'ws'),
    token,
    // The token goes into a header, because logs contain addresses.
    appendToken: false,
    init: { cache: 'no-store' },
    fetch,
    Request,
    Headers,
    WebSocket: socketWith(token) as unknown as typeof globalThis.WebSocket,
  });
  const kernels = new Set<GatewayKernel>();

  async function specs(): Promise<KernelSpec[]> {
    const { kernelspecs } = await KernelSpecAPI.getSpecs(settings);
    return Object.values(kernelspecs)
      .filter((spec) => spec !== undefined)
      .map((spec) => ({
        name: spec.name,
        displayName: spec.display_name,
        language: spec.language,
        interruptMode: (spec as { interrupt_mode?: string }).interrupt_mode === 'message' ? 'message' : 'signal',
      }));
  }

  return {
    name: 'gateway',
    specs,
    async status() {
      try {
        return { isAvailable: true, detail: `${(await specs()).length} kernels at ${new URL(url).host}` };
      } catch (error) {
        return { isAvailable: false, detail: `${new URL(url).host}: ${wordsOf(error)}` };
      }
    },
    async start(options) {
      try {
        const spec = (await specs()).find(({ name }) => name === options.spec);
        if (!spec) throw new Error(`There is no kernel “${options.spec}” there`);
        const body = { name: spec.name, env: options.environment };
        const { id } = await KernelAPI.startNew(body as Parameters<typeof KernelAPI.startNew>[0], settings);
        const manager = new KernelManager({ serverSettings: settings, standby: 'never' });
        const connection = manager.connectTo({ model: { id, name: spec.name } });
        const kernel = new GatewayKernel(spec, connection, settings, { ...options, lostAfterMs });
        await kernel.start();
        kernels.add(kernel);
        void kernel.ended.then(() => {
          kernels.delete(kernel);
          manager.dispose();
        });
        return kernel;
      } catch (error) {
        const message = `The gateway did not start the kernel: ${wordsOf(error)}`;
        throw new KernelStartError(ending('failed_to_start', message));
      }
    },
    async close() {
      await Promise.all([...kernels].map((kernel) => kernel.stop()));
    },
  };
}

function socketWith(token: string): typeof WebSocket {
  return class extends WebSocket {
    constructor(address: string, protocols?: string[]) {
      super(address, protocols, { headers: token === '' ? {} : { Authorization: `token ${token}` } });
    }
  } as typeof WebSocket;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
