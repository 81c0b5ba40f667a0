import type { DenialReason, ErrorBody } from '@atoll/contract/errors';

/** An error of the server, in the one shape of every error body (spec section 8). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string[]>;
  readonly details: Record<string, unknown>;
  readonly requestId: string | null;
  /** Whether the message is the server's own, not one made here for an unreadable answer. */
  readonly isReadable: boolean;

  constructor(body: ErrorBody, options: { requestId?: string | null; isReadable?: boolean } = {}) {
    super(capitalise(body.message));
    this.name = 'ApiError';
    this.status = body.status;
    this.code = body.code;
    this.fields = body.fields;
    this.details = body.details;
    this.requestId = options.requestId ?? null;
    this.isReadable = options.isReadable ?? true;
  }

  get reason(): DenialReason | undefined {
    return this.details.reason as DenialReason | undefined;
  }
}

export async function readError(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('x-request-id');
  const body = await response.json().catch(() => null);
  if (isErrorBody(body)) {
    const { message, status = response.status, code = 'unknown-http-error', fields = {}, details = {} } = body;
    return new ApiError({ message, status, code, fields, details }, { requestId });
  }
  const message = `Error reading from response body ${response.status}`;
  return new ApiError(
    { message, status: response.status, code: 'unknown-http-error', fields: {}, details: {} },
    { requestId, isReadable: false },
  );
}

/** A person who left or cancelled needs no message about it. */
export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

export const hasReason = (error: unknown, reason: DenialReason): error is ApiError =>
  error instanceof ApiError && error.reason === reason;

/** The sentence to show for any failure; null where nothing should be shown. */
export function messageOf(error: unknown): string | null {
  if (isAbort(error)) return null;
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return 'The server could not be reached. Check your connection and try again.';
  return error instanceof Error && error.message ? error.message : 'Something went wrong.';
}

function isErrorBody(body: unknown): body is { message: string } & Partial<ErrorBody> {
  return typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string';
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
