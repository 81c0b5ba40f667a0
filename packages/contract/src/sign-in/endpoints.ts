import { z } from 'zod';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { done, email, empty, id, line, password, time, userName } from '../fields.ts';
import { session } from '../session/entity.ts';

const tag = 'Sign-in';
const opening = { permission: 'session.open', keyScope: 'never', limit: 'sign_in', tag } as const;
const mailing = { permission: 'session.open', keyScope: 'never', limit: 'mail', tag } as const;

const oneTimeToken = z.string().min(20).max(200);
/** WebAuthn messages are checked by the library that made them; here only their outline. */
const webauthnMessage = z.looseObject({ id: z.string().max(2_000) });
const webauthnOptions = z.looseObject({ challenge: z.string() });

export const oauthProvider = z.enum(['github', 'google', 'microsoft', 'oidc']);
export type OauthProvider = z.infer<typeof oauthProvider>;

/** A page to come back to; only paths of this site, so that a link cannot send people elsewhere. */
export const returnTo = z
  .string()
  .max(500)
  .regex(/^\/(?![/\\])[^\s\\\p{Cc}]*$/u, 'Must be a path on this site');

export const signInEndpoints = {
  signUp: endpoint('POST', '/v1/sign_up', { ...opening, summary: 'Create an account' })
    .input(
      z.strictObject({
        email,
        password,
        user_name: userName,
        first_name: line(60).default(''),
        last_name: line(60).default(''),
        referral_code: line(60).optional(),
      }),
    )
    .output(session),

  signIn: endpoint('POST', '/v1/sign_in', { ...opening, summary: 'Sign in with a password' })
    .input(z.strictObject({ email: z.string().max(254), password: z.string().max(200) }))
    .output(session),

  requestLink: endpoint('POST', '/v1/sign_in/link', { ...mailing, summary: 'Mail a one-time sign-in link' })
    .input(z.strictObject({ email, return_to: returnTo.optional() }))
    .output(done),

  redeemLink: endpoint('POST', '/v1/sign_in/link/redeem', { ...opening, summary: 'Sign in with a mailed link' })
    .input(z.strictObject({ token: oneTimeToken }))
    .output(z.object({ session, return_to: z.string().nullable() })),

  requestPasswordReset: endpoint('POST', '/v1/password_reset', { ...mailing, summary: 'Mail a password reset link' })
    .input(z.strictObject({ email }))
    .output(done),

  redeemPasswordReset: endpoint('POST', '/v1/password_reset/redeem', {
    ...opening,
    summary: 'Set a new password with a mailed link',
  })
    .input(z.strictObject({ token: oneTimeToken, password }))
    .output(session),

  requestEmailConfirmation: endpoint('POST', '/v1/email_confirmation', {
    permission: 'account.confirm',
    keyScope: 'never',
    limit: 'mail',
    tag,
    summary: 'Mail a link that confirms my address',
  })
    .input(empty)
    .output(done),

  redeemEmailConfirmation: endpoint('POST', '/v1/email_confirmation/redeem', {
    ...opening,
    summary: 'Confirm an address with a mailed link',
  })
    .input(z.strictObject({ token: oneTimeToken }))
    .output(z.object({ email: z.string() })),

  oauthState: endpoint('POST', '/v1/me/oauthstate', {
    ...opening,
    summary: 'Start a sign-in or a connection with an external provider',
    description: 'The state is bound to this session, works once and for ten minutes.',
  })
    .input(
      z.strictObject({
        reason: line(60).min(1),
        provider: oauthProvider.optional(),
        return_to: returnTo.optional(),
      }),
    )
    .output(z.object({ state: z.string(), authorization_url: z.string().nullable(), expires_at: time })),

  oauthCallback: endpoint('POST', '/v1/oauth/{provider}/callback', {
    ...opening,
    summary: 'Finish a sign-in with an external provider',
  })
    .input(
      z.strictObject({
        provider: oauthProvider,
        code: z.string().max(4_000).optional(),
        state: z.string().max(400),
        iss: z.string().max(500).optional(),
        error: z.string().max(200).optional(),
        error_description: z.string().max(1_000).optional(),
      }),
    )
    .output(z.object({ session, return_to: z.string().nullable() })),

  passkeySignInOptions: endpoint('POST', '/v1/sign_in/passkey/options', {
    ...opening,
    summary: 'Start a sign-in with a passkey',
  })
    .input(empty)
    .output(webauthnOptions),

  passkeySignIn: endpoint('POST', '/v1/sign_in/passkey', { ...opening, summary: 'Sign in with a passkey' })
    .input(z.strictObject({ credential: webauthnMessage }))
    .output(session),

  passkeyCreateOptions: endpoint('POST', '/v1/me/passkeys/options', {
    permission: 'passkey.create',
    keyScope: 'never',
    tag,
    summary: 'Start creating a passkey',
  })
    .input(empty)
    .output(webauthnOptions),

  passkeyCreate: endpoint('POST', '/v1/me/passkeys', {
    permission: 'passkey.create',
    keyScope: 'never',
    tag,
    summary: 'Save a passkey',
  })
    .input(z.strictObject({ name: line(60).min(1), credential: webauthnMessage }))
    .output(z.lazy(() => passkey)),

  passkeyList: endpoint('GET', '/v1/me/passkeys', {
    permission: 'passkey.list',
    keyScope: 'never',
    tag,
    summary: 'My passkeys',
  })
    .input(empty)
    .output(z.object({ entries: z.array(z.lazy(() => passkey)) })),

  passkeyDelete: endpoint('DELETE', '/v1/me/passkeys/{id}', {
    permission: 'passkey.delete',
    keyScope: 'never',
    tag,
    summary: 'Delete a passkey',
  })
    .input(z.strictObject({ id }))
    .output(done),
};

export const passkey = z.object({ id, name: z.string(), created_at: time, last_used_at: time.nullable() });
export type Passkey = z.infer<typeof passkey>;

export const signInRawEndpoints = {
  slackEvents: rawEndpoint('POST', '/v1/slack/events', {
    permission: 'slack.notify',
    keyScope: 'never',
    tag: 'Integrations',
    summary: 'Where Slack sends its signed events',
  }),
};
