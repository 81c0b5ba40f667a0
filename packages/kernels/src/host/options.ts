import type { PackageRules } from '../packages/requirements.ts';
import type { KernelLimits } from '../port.ts';

/** What the host's process is told when it is started; on its standard input, for there is a token in it. */
export interface HostProcessOptions {
  /** Where it says how it is reached, and keeps its log. */
  folder: string;
  /** Sockets and working folders; its path must be short. */
  runFolder: string;
  graceMs: number;
  gateway: { url: string; token: string } | null;
  sharesHostNetwork: boolean;
  /** With less free disk space than this the kernel that has written most is ended. */
  freeDiskBytes: number;
  /** Where a Python of our own is made if the machine has none; null leaves that out. */
  dataFolder: string | null;
  /** A Python with ipykernel to use before any other. */
  python: string | null;
  /** Whether one started kernel of each kind is kept ready, with these limits. */
  spareLimits: KernelLimits | null;
  /** What code may have installed; null: nothing. */
  packages: PackageRules | null;
  /** Code runs as the person who started the server, with all they have. */
  isUnsandboxed: boolean;
  /** Where Pyodide's packages are fetched from; null: where its makers have them. */
  pyodideUrl: string | null;
}
