import { type DenialReason, type ErrorBody, type ErrorCode, errorStatus } from '@atoll/contract';
import { type StorageProblem, storageProblemOf } from '@atoll/storage';

interface ErrorExtras {
  fields?: Record<string, string[]>;
  details?: Record<string, unknown>;
  retryAfterSeconds?: number;
}

/** The one error that services throw. Any other error reaches the caller as a 500 without detail. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly extras: ErrorExtras;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.extras = extras;
  }

  get status(): number {
    return errorStatus[this.code];
  }

  toBody(): ErrorBody {
    return {
      message: this.message,
      status: this.status,
      code: this.code,
      fields: this.extras.fields ?? {},
      details: this.extras.details ?? {},
    };
  }
}

export const notFound = (what = 'This') =>
  new AppError('not_found', `${what} does not exist, or you do not have access to it.`);

export const unauthorized = (message = 'Sign in to do this.') => new AppError('unauthorized', message);

export const tooManyRequests = (seconds: number) =>
  new AppError('too_many_requests', `Too many requests. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
    details: { retry_after: seconds },
  });

export const denied = (reason: DenialReason, message = 'You do not have permission to do this.') =>
  new AppError('forbidden', message, { details: { reason } });

export const requestReused = () =>
  new AppError('conflict', 'This request_id was sent before with something else. Send a new one.', {
    details: { reason: 'request_reused' },
  });

/** A rule about one field that only the server can check (a name already taken, say). */
export const invalidField = (field: string, message: string) =>
  new AppError('unprocessable_entity', message, { fields: { [field]: [message] } });

/** Refuses a body that does not match, for endpoints without a schema in the contract. */
export const invalidBody = ({ issues }: { issues: readonly { path: PropertyKey[]; message: string }[] }) =>
  new AppError('unprocessable_entity', 'Some fields are not valid.', {
    fields: Object.fromEntries(issues.map(({ path, message }) => [String(path[0] ?? 'body'), [message]])),
  });

const storageWords: Record<StorageProblem, string> = {
  unavailable: 'The storage for files cannot be reached at the moment. Nothing was changed. Try again in a minute.',
  full: 'The storage is full. Nothing was changed. Ask the administrator for more space.',
  damaged: 'The stored content is missing or damaged. Ask the administrator to restore it from a backup.',
};

/** The answer when the store or a disk is the cause; null for every other error. */
export function storageFailure(error: unknown): AppError | null {
  const problem = isDatabaseFull(error) ? 'full' : storageProblemOf(error);
  if (!problem) return null;
  return new AppError('service_unavailable', storageWords[problem], {
    details: { reason: `storage_${problem}` },
    ...(problem === 'unavailable' ? { retryAfterSeconds: 60 } : {}),
  });
}

/** PostgreSQL has its own code for a full disk. */
const isDatabaseFull = (error: unknown) =>
  ((error as { cause?: { code?: string } } | null)?.cause?.code ?? (error as { code?: string } | null)?.code) ===
  '53100';
