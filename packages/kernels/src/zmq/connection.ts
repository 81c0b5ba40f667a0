import { randomBytes } from 'node:crypto';

/** The content of a kernel's connection file, with sockets in a folder that may have another name on either side. */
export interface Connection {
  key: string;
  /** Precedes every socket's path on our side. */
  prefix: string;
}

const ports = { shell: 1, iopub: 2, stdin: 3, control: 4, hb: 5 };

export const newKey = () => randomBytes(32).toString('hex');

export const pathOf = (connection: Connection, channel: keyof typeof ports) => `${connection.prefix}-${ports[channel]}`;

/** `prefix` is the one on the kernel's side. */
export function connectionFile(key: string, prefix: string): string {
  const numbers = Object.fromEntries(Object.entries(ports).map(([name, port]) => [`${name}_port`, port]));
  return JSON.stringify({ ...numbers, transport: 'ipc', ip: prefix, key, signature_scheme: 'hmac-sha256' });
}
