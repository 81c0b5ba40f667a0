import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { startScriptedServer } from '../packages/agent/src/scripted/server.ts';
import { root, say } from './steps.ts';

/** `npm run dev`: the server restarts and the page reloads as files change. */
// Without a model of one's own, one that follows the script in a message (packages/agent/src/scripted/script.ts).
const { url: ATOLL_AI_URL } = await startScriptedServer();
const children = [
  spawn('node', ['--watch', '--watch-path=apps/server/src', '--watch-path=packages', 'apps/server/src/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ATOLL_LOG_FORMAT: 'pretty', ATOLL_URL: 'http://localhost:5173', ATOLL_AI_URL, ...process.env },
  }),
  spawn('vite', [join(root, 'apps/web'), '--port', '5173'], { cwd: root, stdio: 'inherit' }),
];
say('The page is at http://localhost:5173; the server behind it at port 4000.');

const stop = () => {
  for (const child of children) child.kill('SIGINT');
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
for (const child of children) child.once('exit', stop);
