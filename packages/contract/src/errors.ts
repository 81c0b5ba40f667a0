/** Every code an error can carry, with its HTTP status. `code` is the status's name (spec section 8). */
export const errorStatus = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  content_too_large: 413,
  unsupported_media_type: 415,
  misdirected_request: 421,
  unprocessable_entity: 422,
  too_many_requests: 429,
  internal_server_error: 500,
  not_implemented: 501,
  bad_gateway: 502,
  service_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** The spec's three denials, and the one that asks for a fresh sign-in before a sensitive act. */
export const denialReasons = [
  'no_permissions',
  'disabled_in_configuration',
  'usage_limit_reached',
  'reauthentication_required',
] as const;
export type DenialReason = (typeof denialReasons)[number];

/** The one shape of every error body. */
export interface ErrorBody {
  message: string;
  status: number;
  code: string;
  fields: Record<string, string[]>;
  details: Record<string, unknown>;
}

/** Texts the spec gives word for word; both sides compare with these. */
export const errorText = {
  sessionTimeout: 'Session timeout',
  authenticationFailed: 'Authentication failed',
  ratingUnsupported: 'Rating is not supported',
  publishingFailed: 'Error publishing a project',
} as const;
