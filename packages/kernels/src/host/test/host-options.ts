import { join } from 'node:path';
import type { HostProcessOptions } from '../options.ts';

/** Options of a host with built-in providers only, and its files in this folder. */
export const hostOptions = (folder: string): HostProcessOptions => ({
  folder: join(folder, 'kernels'),
  runFolder: folder,
  graceMs: 60_000,
  gateway: null,
  sharesHostNetwork: false,
  dataFolder: null,
  python: null,
  freeDiskBytes: 0,
  spareLimits: null,
  packages: null,
  pyodideUrl: null,
  isUnsandboxed: false,
});
