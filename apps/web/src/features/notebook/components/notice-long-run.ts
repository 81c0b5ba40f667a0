import type { CellShown } from '@atoll/contract';
import { duration } from '../../runs/model.ts';

const longMs = 20_000;

/** Who has gone to another window is told when a long run of theirs has ended. */
export function noticeLongRun(name: string, { execution }: CellShown, me: string, onClick: () => void): void {
  if (!execution || (execution.milliseconds ?? 0) < longMs || (execution.user && execution.user.id !== me)) return;
  if (!('Notification' in window)) return;
  // Asked once somebody has waited for a long time: then it is clear what for.
  if (Notification.permission === 'default' && !document.hidden) void Notification.requestPermission();
  if (Notification.permission !== 'granted' || !document.hidden) return;
  const how = execution.state === 'ok' ? 'is done' : execution.state === 'error' ? 'failed' : 'was stopped';
  const notice = new Notification(name, { body: `A cell ${how} after ${duration(execution.milliseconds ?? 0)}.` });
  notice.onclick = () => {
    window.focus();
    onClick();
    notice.close();
  };
}
