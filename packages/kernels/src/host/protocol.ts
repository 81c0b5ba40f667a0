import type { HostEvent, KernelHost } from './types.ts';

/** Both sides must have the same version; a host of another version must end. */
export const protocolVersion = 4;

/** The calls over the socket; `stored` gets no answer. */
export const calls = [
  'kinds',
  'status',
  'kernels',
  'open',
  'handOver',
  'follow',
  'execute',
  'allow',
  'mute',
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

/** The address of a running host: `host.json` in its folder. */
export interface HostAddress {
  socket: string;
  token: string;
  pid: number;
}
