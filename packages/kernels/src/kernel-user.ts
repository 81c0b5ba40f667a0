/** The user for untrusted code; null when the server is not root, so that only its own user is possible. */
export type SandboxUser = { uid: number; gid: number } | null;

export const kernelUser = (user = { uid: 61_000, gid: 61_000 }): SandboxUser =>
  process.getuid?.() === 0 ? user : null;
