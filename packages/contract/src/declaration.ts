import type { z } from 'zod';

/**
 * What a feature adds to the lists of the product. It stands apart from the feature's endpoints and topics, which may use
 * every feature's permissions: else the types of one would depend on those of the other in a circle.
 */
export interface Declaration {
  /**
   * What a caller can be allowed to do. Every endpoint names exactly one; the server's policies hold a rule for each and
   * the server refuses to start when one is missing. A permission on an entity also travels with it, in `permissions`.
   */
  permissions?: readonly string[];
  /**
   * A service emits an event in the transaction of its write; the relay hands it on after commit, at least once. Payloads
   * carry ids, never secrets: a handler that needs a one-time token makes it itself.
   */
  events?: Record<string, z.ZodObject>;
  /** Events for one person, on their own topic. */
  personEvents?: Record<string, z.ZodObject>;
  /** What a notification can be about, beside its project; the server's feature says how one is named. */
  entities?: readonly string[];
}

export const declare = <const Declared extends Declaration>(declared: Declared): Declared => declared;
