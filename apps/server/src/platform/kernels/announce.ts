import { setTimeout } from 'node:timers/promises';
import { isolationOf, noticeOf } from './isolation.ts';
import type { Kernels } from './kernels.ts';

export const unsandboxedWarning =
  'ATOLL_UNSANDBOXED_KERNELS is on: code in notebooks runs without a sandbox, with all your files and your network.';

/** Shows in the terminal where code runs, how to get a better place, and how far the installation of Python is. */
export async function announceKernels(
  kernels: Pick<Kernels, 'host'>,
  say: (line: string) => void,
  lookMs = 1_000,
): Promise<void> {
  let last = '';
  const tell = (line: string) => {
    if (line !== last) say(line);
    last = line;
  };
  for (;;) {
    const { providers, python } = await (await kernels.host()).status();
    if (python.state === 'preparing') {
      if (python.message) tell(`Preparing Python, ${Math.round((python.progress ?? 0) * 100)} %: ${python.message}`);
      await setTimeout(lookMs, undefined, { ref: false });
      continue;
    }
    const local = providers.find(({ name }) => name === 'local');
    const notice = noticeOf(providers);
    if (notice && !notice.is_warning) tell(notice.text);
    if (python.message && local?.isAvailable) {
      const place = isolationOf('local', providers) === 'none' ? 'without a sandbox' : `in a sandbox: ${local.detail}`;
      tell(python.state === 'failed' ? python.message : `${python.message} Code runs ${place}.`);
    }
    return;
  }
}
