import { boot } from './platform/boot/boot.ts';
import { showOops } from './platform/boot/boot-screen.ts';

/** Downloaded while the theme and the session are on their way. */
const app = import('./app.tsx');

async function start(): Promise<void> {
  const { session, ...known } = await boot();
  const { preparePage, renderApp } = await app;
  preparePage();
  await renderApp({ ...known, session: await session });
}

start().catch((error: unknown) => {
  console.error(error);
  showOops(() => location.reload());
});
