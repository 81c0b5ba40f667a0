import { readForVisit, writeForVisit } from '../storage.ts';
import { type HostEvent, type Launch, launchEvents, parseLaunch } from './telegram.ts';

interface HostWindow {
  TelegramWebviewProxy?: { postEvent(name: string, data: string): void };
  external?: { notify?: (message: string) => void };
}

const kept = 'telegram_launch';
let current: Launch | null = null;

export const isMiniApp = (): boolean => current !== null;

/** Reads the launch from the address, or from an earlier page of this visit, and removes it from the address bar. */
export function findLaunch(): Launch | null {
  if (!isHosted()) return null;
  const inAddress = parseLaunch(location.hash);
  if (inAddress) {
    writeForVisit(kept, location.hash);
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  current = inAddress ?? parseLaunch(readForVisit(kept) ?? '');
  return current;
}

/** Any link can contain launch data, but only a host can put us into its frame or window. */
const isHosted = () => window.parent !== window || 'TelegramWebviewProxy' in window;

export function greetHost(launch: Launch, background: string): void {
  for (const event of launchEvents(launch, background)) post(event);
}

function post([name, data = {}]: HostEvent): void {
  const host = window as unknown as HostWindow;
  const message = JSON.stringify({ eventType: name, eventData: data });
  if (host.TelegramWebviewProxy) host.TelegramWebviewProxy.postEvent(name, JSON.stringify(data));
  else if (window.parent !== window) window.parent.postMessage(message, '*');
  else host.external?.notify?.(message);
}
