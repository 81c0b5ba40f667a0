import { type ApiKeyScope, type FeatureOverrides, guestLimits } from '@atoll/contract';

/** The caller: the subject whose rights apply, and the admin behind it when one acts as another user. */
export interface Actor {
  kind: 'anonymous' | 'guest' | 'user' | 'system';
  userId: string | null;
  isAdmin: boolean;
  sessionId: string | null;
  /** The admin who is acting as `userId`, if any. */
  impersonatorId: string | null;
  via: 'none' | 'cookie' | 'bearer' | 'api_key';
  /** The scopes an API key was created with; empty for people. */
  keyScopes: ApiKeyScope[];
  keyHint: string | null;
  /** Whether the person proved their identity recently enough for a sensitive act. */
  isRecentlyAuthenticated: boolean;
  authenticatedAt: Date | null;
  sessionExpiresAt: Date | null;
  /** Features the plan removes; then feature flags set for this person, and for each of their roles. */
  planFeatures: FeatureOverrides;
  overrides: FeatureOverrides;
  roleOverrides: FeatureOverrides[];
}

export const anonymous: Actor = {
  kind: 'anonymous',
  userId: null,
  isAdmin: false,
  sessionId: null,
  impersonatorId: null,
  via: 'none',
  keyScopes: [],
  keyHint: null,
  isRecentlyAuthenticated: false,
  authenticatedAt: null,
  sessionExpiresAt: null,
  planFeatures: guestLimits.features,
  overrides: {},
  roleOverrides: [],
};

/** The person whose rights apply when something is done in their name; it says nothing about how they signed in. */
export type Person = Pick<Actor, 'kind' | 'userId' | 'isAdmin'> &
  Partial<Pick<Actor, 'impersonatorId' | 'planFeatures' | 'overrides' | 'roleOverrides'>>;

/** The server itself, in event handlers and at start-up. */
export const systemActor: Actor = { ...anonymous, kind: 'system' };

/** An id that no person has; it stands for callers without an id. */
export const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * The reason why the presented credentials identify no person. Public endpoints ignore it, the others answer 401 with it.
 */
export type CredentialProblem = 'invalid' | 'expired' | 'suspended';

export interface Credentials {
  token: string | null;
  tokenSource: 'cookie' | 'bearer';
  apiKey: string | null;
  /** Identifies a browser in which people have signed in before; see `features/sessions/device.ts`. */
  device: string | null;
  ip: string;
  userAgent: string;
}

export interface Authentication {
  actor: Actor;
  problem: CredentialProblem | null;
  /** The message for a suspended person. */
  message?: string;
}
