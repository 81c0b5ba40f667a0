import { join } from 'node:path';
import type { HostProcessOptions } from '../options.ts';

/** Of a host with nothing but what is built in, whose files are in this folder. */
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
