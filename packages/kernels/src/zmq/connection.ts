import { randomBytes } from 'node:crypto';

/** What a kernel's connection file says, with sockets in a folder that may have another name on either side. */
export interface Connection {
  key: string;
  /** In front of every socket's path, as we see it. */
  prefix: string;
}

const ports = { shell: 1, iopub: 2, stdin: 3, control: 4, hb: 5 };

export const newKey = () => randomBytes(32).toString('hex');

export const pathOf = (connection: Connection, channel: keyof typeof ports) => `${connection.prefix}-${ports[channel]}`;

/** `prefix` as the kernel sees it. */
export function connectionFile(key: string, prefix: string): string {
  const numbers = Object.fromEntries(Object.entries(ports).map(([name, port]) => [`${name}_port`, port]));
  return JSON.stringify({ ...numbers, transport: 'ipc', ip: prefix, key, signature_scheme: 'hmac-sha256' });
}
