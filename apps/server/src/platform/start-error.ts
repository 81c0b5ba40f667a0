import { dirname } from 'node:path';

/** The reason why the server does not start, worded for the person who starts it; printed without a stack. */
export class StartError extends Error {}

const at = (path: string | undefined) => (path ? `: ${path}` : '');

const causes: Record<string, (error: NodeJS.ErrnoException & { port?: number }) => string> = {
  EADDRINUSE: ({ port }) => `Port ${port} is taken by another program. Set PORT to another one.`,
  ENOSPC: ({ path }) => `The disk is full${at(path)}. Free some space or set ATOLL_DATA to a folder on another disk.`,
  EDQUOT: ({ path }) => `The disk quota is used up${at(path)}. Free some space or set ATOLL_DATA to another folder.`,
  EACCES: ({ path }) => `This user may not write${at(path)}. Give it the right, or set ATOLL_DATA to another folder.`,
  EPERM: ({ path }) => `This user may not write${at(path)}. Give it the right, or set ATOLL_DATA to another folder.`,
  ENOTDIR: ({ path = '' }) =>
    `The folder ${path} cannot be made: ${dirname(path)} is not a folder. Set ATOLL_DATA to another folder.`,
  EROFS: ({ path }) => `The disk is read-only${at(path)}. Set ATOLL_DATA to a folder that can be written.`,
};

/**
 * The text that is printed when a start fails: one sentence where a person can fix the cause, otherwise the error with its
 * stack.
 */
export function startFailure(error: unknown): unknown {
  if (error instanceof StartError) return error.message;
  const { code = '' } = error as NodeJS.ErrnoException;
  return causes[code]?.(error as NodeJS.ErrnoException) ?? error;
}
