import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, say } from './steps.ts';

/** `npm run stop`: ends the server and what runs in its kernels, which outlive a server that is only restarted. */
const environmentFile = join(root, '.env');
if (existsSync(environmentFile)) process.loadEnvFile(environmentFile);
await import('./resolve-once.ts');
const { stopEverything } = await import('../apps/server/src/stop.ts');
await stopEverything(process.env, say);
