import type { Context } from '../../platform/context.ts';
import type { EventHandlers } from '../../platform/events/relay.ts';
import { countUnproven } from '../mail/limits.ts';
import { sendThemedMail } from '../mail/themed-mail.ts';
import { findUser } from '../users/service.ts';
import { linkTo } from './service/links.ts';
import { createOneTimeToken } from './service/one-time.ts';
import type { OneTimePurpose } from './table.ts';

/** Tokens are made here and not where they were asked for: an event is stored, and a token must not be. */
async function mailLink(
  ctx: Context,
  userId: string,
  link: { purpose: OneTimePurpose; path: string; returnTo?: string | null; address?: string },
  words: { subject: string; lead: string; button: string; note: string },
): Promise<void> {
  const user = await findUser(ctx.db, userId);
  const to = link.address ?? user?.email;
  // The account is gone, or its address changed meanwhile: nobody is waiting for this mail.
  if (!user || !to || user.email !== to) return;
  // Links to sign in are limited where they are requested: a limit of the address would keep its owner out.
  if (link.purpose === 'email_confirmation' && !(await countUnproven(ctx, to))) return;
  const token = await ctx.write((write) =>
    createOneTimeToken(ctx, write, { purpose: link.purpose, userId, email: to, returnTo: link.returnTo }),
  );
  // A stranger could have chosen the name that greets the owner of an address nobody has confirmed.
  const greeting = user.emailConfirmedAt ? user.firstName : '';
  await sendThemedMail(ctx, to, { ...words, url: linkTo(ctx, link.path, token), greeting, isAlwaysSent: true });
}

export const signInEvents: EventHandlers = {
  'sign_in_link.requested': (ctx, { user_id, return_to }) =>
    mailLink(
      ctx,
      user_id,
      { purpose: 'sign_in_link', path: '/auth/link', returnTo: return_to },
      {
        subject: 'Your sign-in link',
        lead: 'Use this link to sign in. It works once, within 15 minutes.',
        button: 'Sign in',
        note: 'If you did not request this, ignore this message.',
      },
    ),

  'password_reset.requested': (ctx, { user_id }) =>
    mailLink(
      ctx,
      user_id,
      { purpose: 'password_reset', path: '/auth/reset' },
      {
        subject: 'Set a new password',
        lead: 'Use this link to set a new password. It works once, within an hour.',
        button: 'Set a new password',
        note: 'If you did not request this, ignore this message. Your password is unchanged.',
      },
    ),

  'email_confirmation.requested': (ctx, { user_id, email }) =>
    mailLink(
      ctx,
      user_id,
      { purpose: 'email_confirmation', path: '/auth/confirm', address: email },
      {
        subject: 'Confirm your e-mail address',
        lead: 'Use this link to confirm that this address is yours. It works for a week.',
        button: 'Confirm address',
        note: 'If you did not create an account, ignore this message.',
      },
    ),

  'credentials.changed': async (ctx, { user_id, what, previous_email }) => {
    const user = await findUser(ctx.db, user_id);
    // A new address is told to the old one: whoever lost the account must hear of it.
    const to = what === 'email' ? previous_email : user?.email;
    if (!user || !to) return;
    // An address that was left may never have been theirs.
    if ((what === 'email' || !user.emailConfirmedAt) && !(await countUnproven(ctx, to))) return;
    await sendThemedMail(ctx, to, {
      subject: 'Your sign-in details changed',
      greeting: user.firstName,
      lead:
        what === 'email'
          ? 'The e-mail address of your account was changed.'
          : `A ${what} of your account was added or changed.`,
      button: 'Review your account',
      url: `${ctx.config.url}/profile?section=security`,
      note: 'If this was not you, set a new password and sign out the other sessions.',
      isAlwaysSent: true,
    });
  },
};
