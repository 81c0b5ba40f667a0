import { type ApiKeyScope, type FeatureOverrides, guestLimits } from '@atoll/contract';

/** Who is calling: the subject whose rights apply, and the admin behind it when one acts as another user. */
export interface Actor {
  kind: 'anonymous' | 'guest' | 'user' | 'system';
  userId: string | null;
  isAdmin: boolean;
  sessionId: string | null;
  /** The admin who is acting as `userId`, if any. */
  impersonatorId: string | null;
  via: 'none' | 'cookie' | 'bearer' | 'api_key';
  /** What an API key was made for; empty for people. */
  keyScopes: ApiKeyScope[];
  keyHint: string | null;
  /** Whether the person proved who they are lately enough for a sensitive act. */
  isRecentlyAuthenticated: boolean;
  authenticatedAt: Date | null;
  sessionExpiresAt: Date | null;
  /** What the plan takes away; feature flags that were set for them, and for each of their roles. */
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

/** Whose rights apply when something is done in their name; nothing of how they signed in. */
export type Person = Pick<Actor, 'kind' | 'userId' | 'isAdmin'> &
  Partial<Pick<Actor, 'impersonatorId' | 'planFeatures' | 'overrides' | 'roleOverrides'>>;

/** The server itself, in event handlers and at start-up. */
export const systemActor: Actor = { ...anonymous, kind: 'system' };

/** An id no one has, for those who have none. */
export const nobody = '00000000-0000-0000-0000-000000000000';

/** Why presented credentials gave no one; public endpoints ignore it, the others answer 401 with it. */
export type CredentialProblem = 'invalid' | 'expired' | 'suspended';

export interface Credentials {
  token: string | null;
  tokenSource: 'cookie' | 'bearer';
  apiKey: string | null;
  /** Of a browser in which people have signed in before; see `features/sessions/device.ts`. */
  device: string | null;
  ip: string;
  userAgent: string;
}

export interface Authentication {
  actor: Actor;
  problem: CredentialProblem | null;
  /** What to tell a suspended person. */
  message?: string;
}
