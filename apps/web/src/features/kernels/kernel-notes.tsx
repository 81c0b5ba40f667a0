import type { api } from '../../platform/client.ts';
import menus from '../../ui/styles/menus.module.css';
import classes from './components/kernel-notes.module.css';

type Kernels = Awaited<ReturnType<typeof api.kernels.list.call>>;

/** What keeps code from the machine, where it is not a sandbox, and how far the Python is that the server makes for itself. */
export function KernelNotes({
  environment: { state, progress, message },
  notice,
}: Pick<Kernels, 'environment' | 'notice'>) {
  const percent = Math.round((progress ?? 0) * 100);
  return (
    <>
      {notice && (
        <div className={menus.note} data-problem={notice.is_warning || undefined} role="note">
          {notice.text}
        </div>
      )}
      {state === 'failed' && (
        <div className={menus.note} data-problem role="alert">
          Python with its usual packages could not be prepared. {message}
        </div>
      )}
      {state === 'preparing' && (
        <div className={menus.note} role="status">
          <div
            className={classes.progress}
            role="progressbar"
            aria-label="Python is being prepared"
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <span style={{ width: `${Math.max(4, percent)}%` }} />
          </div>
          Python with its usual packages is being prepared{message ? `: ${message.replace(/\.$/, '')}` : ''}. Until then
          the kernel above is used.
        </div>
      )}
    </>
  );
}
