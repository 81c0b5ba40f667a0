import type { PackageRules } from '../packages/requirements.ts';
import type { KernelLimits } from '../port.ts';

/** The options of the host's process, sent on its standard input, because they contain a token. */
export interface HostProcessOptions {
  /** The folder for its address and its log. */
  folder: string;
  /** The folder for sockets and working folders; its path must be short. */
  runFolder: string;
  graceMs: number;
  gateway: { url: string; token: string } | null;
  sharesHostNetwork: boolean;
  /** With less free disk space than this, the kernel that has written most is ended. */
  freeDiskBytes: number;
  /** The folder where our own Python is made if the machine has none; null disables that. */
  dataFolder: string | null;
  /** A Python with ipykernel that takes precedence. */
  python: string | null;
  /** The limits of the started kernel of each kind that is kept ready; null keeps none. */
  spareLimits: KernelLimits | null;
  /** The packages that code may install; null allows none. */
  packages: PackageRules | null;
  /** Code runs as the person who started the server, with all their rights. */
  isUnsandboxed: boolean;
  /** The address of Pyodide's packages; null for the address of its makers. */
  pyodideUrl: string | null;
}
