import type { KernelInfo, KernelNotice } from '@atoll/contract';
import type { HostStatus, KernelKind } from '@atoll/kernels/client';

type Providers = HostStatus['providers'];

const localOf = (providers: Providers) => providers.find(({ name }) => name === 'local');

/** The isolation that keeps code from the machine. */
export function isolationOf(provider: KernelKind['provider'], providers: Providers): KernelInfo['isolation'] {
  if (provider === 'local') return localOf(providers)?.isSandboxed === false ? 'none' : 'sandbox';
  if (provider === 'gateway') return 'remote';
  return provider === 'pyodide' ? 'webassembly' : 'sandbox';
}

/** Describes the isolation where it is not a sandbox, and how to get a better one. */
export function noticeOf(providers: Providers): KernelNotice | null {
  const local = localOf(providers);
  if (!local) return null;
  if (local.isSandboxed === false)
    return {
      is_warning: true,
      text: 'Code runs without a sandbox on this computer: it can read, change and delete your files and use the network.',
    };
  if (local.isAvailable) return null;
  return {
    is_warning: false,
    text: `Python runs in WebAssembly here, because ${local.detail}. ${better(local.detail)}`,
  };
}

function better(detail: string): string {
  const alone = 'On your own computer you can set ATOLL_UNSANDBOXED_KERNELS=on to run Python without a sandbox.';
  if (process.platform !== 'linux') return `A sandbox for full Python needs Linux. ${alone}`;
  if (detail === 'bubblewrap is not installed')
    return `For full Python, install bubblewrap on the server (Debian: apt install bubblewrap) and start it again. ${alone}`;
  return `For full Python, the server must be allowed to make user namespaces. ${alone}`;
}
