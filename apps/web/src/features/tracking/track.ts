import { type Subscription, subscribe } from '../../platform/realtime/realtime.ts';
import { mayTrack } from './consent.ts';

type Properties = Record<string, string | number | boolean | null>;

interface TrackedEvent {
  name: string;
  properties: Properties;
  at: string;
}

const batchMs = 5_000;
const maxBatch = 100;
let waiting: TrackedEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let subscription: Subscription<'tracking'> | undefined;

/** Notes what was done in the interface; never who or what it was about. Sent in batches, and not at all if unwanted. */
export function track(name: string, properties: Properties = {}): void {
  if (!mayTrack(navigator)) return;
  waiting = [...waiting, { name, properties, at: new Date().toISOString() }].slice(-maxBatch);
  timer ??= setTimeout(flush, batchMs);
}

/** Sent at once; rejects when it could not be stored. */
export function sendNow(events: Omit<TrackedEvent, 'at'>[]): Promise<unknown> {
  subscription ??= subscribe('tracking', {}, {});
  const at = new Date().toISOString();
  return subscription.send('track', { events: events.map((event) => ({ ...event, at })) });
}

function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  if (waiting.length === 0) return;
  const events = waiting;
  waiting = [];
  subscription ??= subscribe('tracking', {}, {});
  // Nobody waits for it, and nobody is told when it is lost.
  subscription.send('track', { events }).catch(() => {});
}

// Comes before the connection is closed for a page that goes away.
document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && flush());
window.addEventListener('pagehide', flush, { capture: true });
