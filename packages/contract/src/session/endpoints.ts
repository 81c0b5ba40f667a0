import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, empty, flag, id, line, list, time } from '../fields.ts';
import { session } from './entity.ts';

const tag = 'Session';

/** A guest id is made by the browser; it names a guest and opens nothing by itself. */
export const guestId = z
  .string()
  .min(16)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/, 'May contain letters, digits, hyphens and underscores only');

export const openSession = z.object({
  id,
  created_at: time,
  last_seen_at: time,
  expires_at: time,
  user_agent: z.string(),
  ip: z.string(),
  is_current: z.boolean(),
  permissions: z.array(z.string()),
});
export type OpenSession = z.infer<typeof openSession>;

export const sessionEndpoints = {
  me: endpoint('GET', '/v1/me', {
    permission: 'session.view',
    tag,
    summary: 'Who I am',
    description:
      'Without credentials a guest is made, or refused with 401 when guest_id belongs to a guest whose token was not sent. ' +
      'A token that has run out answers 401 with the message "Session timeout", unless session_continue asks to go on as a guest.',
  })
    .input(
      z.strictObject({
        with_github: flag.optional(),
        with_preferences: flag.optional(),
        with_features: flag.optional(),
        with_roles: flag.optional(),
        with_documentation_enabled: flag.optional(),
        with_trial: flag.optional(),
        guest_id: guestId.optional(),
        user_source: line(60).optional(),
        refresh_session: flag.optional(),
        idm_token: z.string().max(16_000).optional(),
        organitz_token: z.string().max(16_000).optional(),
        session_continue: flag.optional(),
        telegram_init_data: z.string().max(8_000).optional(),
        telegram_oauth_data: z.string().max(8_000).optional(),
        referral_code: line(60).optional(),
      }),
    )
    .output(session),

  logOut: endpoint('DELETE', '/v1/log_out', {
    permission: 'session.close',
    keyScope: 'never',
    tag,
    summary: 'End this session',
  })
    .input(empty)
    .output(done),

  list: endpoint('GET', '/v1/me/sessions', {
    permission: 'session.list',
    keyScope: 'never',
    tag,
    summary: 'My sessions',
  })
    .input(empty)
    .output(list(openSession)),

  end: endpoint('DELETE', '/v1/me/sessions/{id}', {
    permission: 'session.end',
    keyScope: 'never',
    tag,
    summary: 'End another session',
  })
    .input(z.strictObject({ id }))
    .output(done),

  socketToken: endpoint('POST', '/v1/me/socket_token', {
    permission: 'session.connect',
    keyScope: 'never',
    tag,
    summary: 'A short-lived token for the realtime connection',
  })
    .input(empty)
    .output(z.object({ token: z.string(), expires_at: time })),

  signupStats: endpoint('GET', '/v1/me/signup_stats', {
    permission: 'account.view',
    tag,
    summary: 'My referral and sign-up data',
  })
    .input(empty)
    .output(
      z.object({
        signup_date: time,
        days_since_signup: z.int(),
        user_source: z.string().nullable(),
        referral_code: z.string().nullable(),
        referred_users_count: z.int(),
      }),
    ),
};
