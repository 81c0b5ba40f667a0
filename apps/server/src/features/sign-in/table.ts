import { sql } from 'drizzle-orm';
import { boolean, customType, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { primaryId, time } from '../../platform/db/columns.ts';
import { sessions } from '../sessions/table.ts';
import { users } from '../users/table.ts';

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (value) => new Uint8Array(value),
});

const userReference = (name: string) => uuid(name).references(() => users.id, { onDelete: 'cascade' });

export type OneTimePurpose =
  | 'sign_in_link'
  | 'password_reset'
  | 'email_confirmation'
  | 'telegram'
  | 'telegram_chat'
  | 'passkey';

/** Anything that may be used once: mailed links, challenges, launch data that was already taken. */
export const oneTimeTokens = pgTable(
  'one_time_tokens',
  {
    id: primaryId(),
    purpose: text('purpose').$type<OneTimePurpose>().notNull(),
    tokenHash: text('token_hash').notNull(),
    userId: userReference('user_id'),
    email: text('email'),
    returnTo: text('return_to'),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    usedAt: time('used_at'),
  },
  (table) => [
    index('one_time_tokens_user').on(table.userId).where(sql`${table.userId} is not null`),
    uniqueIndex('one_time_tokens_hash').on(table.purpose, table.tokenHash),
    index('one_time_tokens_expiry').on(table.expiresAt),
  ],
);

export type OneTimeTokenRow = typeof oneTimeTokens.$inferSelect;

/** Accounts elsewhere. Issuer and subject identify a person; an e-mail address does not. */
export const identities = pgTable(
  'identities',
  {
    id: primaryId(),
    userId: userReference('user_id').notNull(),
    provider: text('provider').notNull(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    name: text('name'),
    avatar: text('avatar'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('identities_subject').on(table.issuer, table.subject),
    index('identities_user').on(table.userId),
  ],
);

export type IdentityRow = typeof identities.$inferSelect;

/** A sign-in under way at a provider, bound to the session that began it. */
export const oauthStates = pgTable(
  'oauth_states',
  {
    id: primaryId(),
    stateHash: text('state_hash').notNull().unique(),
    sessionId: uuid('session_id').references(() => sessions.id, { onDelete: 'cascade' }),
    provider: text('provider'),
    reason: text('reason').notNull(),
    codeVerifier: text('code_verifier'),
    nonce: text('nonce'),
    returnTo: text('return_to'),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    usedAt: time('used_at'),
  },
  (table) => [index('oauth_states_session').on(table.sessionId).where(sql`${table.sessionId} is not null`)],
);

export type OauthStateRow = typeof oauthStates.$inferSelect;

export const passkeys = pgTable(
  'passkeys',
  {
    id: primaryId(),
    userId: userReference('user_id').notNull(),
    credentialId: text('credential_id').notNull().unique(),
    publicKey: bytes('public_key').notNull(),
    counter: integer('counter').notNull(),
    transports: jsonb('transports').$type<string[]>().notNull().default([]),
    isBackedUp: boolean('is_backed_up').notNull().default(false),
    name: text('name').notNull(),
    createdAt: time('created_at').notNull(),
    lastUsedAt: time('last_used_at'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
);

export type PasskeyRow = typeof passkeys.$inferSelect;
