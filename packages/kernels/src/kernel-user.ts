/** Who runs what is not trusted; null when the server is not root and it can only be the server's own user. */
export type SandboxUser = { uid: number; gid: number } | null;

export const kernelUser = (user = { uid: 61_000, gid: 61_000 }): SandboxUser =>
  process.getuid?.() === 0 ? user : null;
