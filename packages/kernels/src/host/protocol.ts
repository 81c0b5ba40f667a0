import type { HostEvent, KernelHost } from './types.ts';

/** Both sides must be of the same version; a host of another one is asked to end. */
export const protocolVersion = 4;

/** What can be asked over the socket; `stored` is not answered. */
export const calls = [
  'kinds',
  'status',
  'kernels',
  'open',
  'handOver',
  'follow',
  'execute',
  'allow',
  'complete',
  'inspect',
  'comm',
  'reply',
  'interrupt',
  'restart',
  'stop',
  'usage',
  'close',
] as const satisfies (keyof KernelHost)[];
export type Call = (typeof calls)[number];

export type ToHost =
  | { type: 'hello'; version: number; token: string }
  | { type: 'call'; id: number; call: Call; args: unknown[] }
  | { type: 'stored'; kernelId: string; sequence: number };

export type FromHost =
  | { type: 'welcome'; hostId: string }
  | { type: 'refused'; message: string }
  /** Another server has taken over. */
  | { type: 'replaced' }
  | { type: 'answer'; id: number; value: unknown }
  | { type: 'failed'; id: number; name: string; message: string }
  | { type: 'events'; events: HostEvent[] };

/** Where a running host is found: `host.json` in its folder. */
export interface HostAddress {
  socket: string;
  token: string;
  pid: number;
}
