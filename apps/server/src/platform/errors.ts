import { type DenialReason, type ErrorBody, type ErrorCode, errorStatus } from '@atoll/contract';

interface ErrorExtras {
  fields?: Record<string, string[]>;
  details?: Record<string, unknown>;
  retryAfterSeconds?: number;
}

/** The one error services throw. Whatever else is thrown reaches the caller as a 500 without detail. */
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

/** A body that does not fit what an endpoint without a schema of the contract takes. */
export const invalidBody = ({ issues }: { issues: readonly { path: PropertyKey[]; message: string }[] }) =>
  new AppError('unprocessable_entity', 'Some fields are not valid.', {
    fields: Object.fromEntries(issues.map(({ path, message }) => [String(path[0] ?? 'body'), [message]])),
  });
