export type StorageProblem = 'unavailable' | 'full' | 'damaged';

/** What the store itself cannot do, whatever was asked of it. The message is for the log. */
export class StorageError extends Error {
  readonly problem: StorageProblem;

  constructor(problem: StorageProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
    this.problem = problem;
  }
}

const problemOfCode: Record<string, StorageProblem> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EIO: 'unavailable',
  EROFS: 'unavailable',
  ESTALE: 'unavailable',
  EMFILE: 'unavailable',
};

/** The problem of the store behind an error, also where another error wraps it. */
export function storageProblemOf(error: unknown): StorageProblem | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause instanceof StorageError) return cause.problem;
    const problem = problemOfCode[(cause as NodeJS.ErrnoException).code ?? ''];
    if (problem) return problem;
  }
  return null;
}
