import type { CellShown } from '@atoll/contract';
import { readLocal, writeLocal } from '../../../platform/storage.ts';
import { duration } from '../../runs/model.ts';

const key = 'notebook_notice_seconds';
const usual = 20;

/** The number of seconds after which a run is long; 0 switches the notices off. Stored in this browser. */
export function noticeAfter(): number {
  const kept = Number(readLocal(key) ?? usual);
  return Number.isFinite(kept) && kept >= 0 ? kept : usual;
}

export function setNoticeAfter(seconds: number): void {
  writeLocal(key, String(seconds));
  if (seconds > 0 && 'Notification' in window && Notification.permission === 'default')
    void Notification.requestPermission();
}

/** Notifies a person in another window when a long run of theirs has ended. */
export function noticeLongRun(name: string, { execution }: CellShown, me: string, onClick: () => void): void {
  const seconds = noticeAfter();
  if (seconds === 0 || !execution || (execution.milliseconds ?? 0) < seconds * 1000) return;
  if (execution.user && execution.user.id !== me) return;
  if (!('Notification' in window)) return;
  // Ask for permission only after a long wait, when its purpose is clear.
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
