import { done, endpoints } from '../../platform/http/implement.ts';
import { answerOpened } from '../sessions/answer.ts';
import { oauthRoutes } from './oauth-routes.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import {
  redeemEmailConfirmation,
  redeemSignInLink,
  requestEmailConfirmation,
  requestPasswordReset,
  requestSignInLink,
} from './service/links.ts';
import { resetPassword, signInWithPassword, signUp } from './service/password.ts';

const { signIn } = endpoints;

export const signInRoutes = {
  signUp: signIn.signUp.handler(async ({ context, input }) => answerOpened(context, await signUp(context, input))),

  signIn: signIn.signIn.handler(async ({ context, input }) =>
    answerOpened(context, await signInWithPassword(context, input)),
  ),

  requestLink: signIn.requestLink.handler(({ context, input }) => done(requestSignInLink(context, input))),

  redeemLink: signIn.redeemLink.handler(async ({ context, input }) => {
    const { returnTo, ...signedIn } = await redeemSignInLink(context, input.token);
    return { session: await answerOpened(context, signedIn), return_to: returnTo };
  }),

  requestPasswordReset: signIn.requestPasswordReset.handler(({ context, input }) =>
    done(requestPasswordReset(context, input.email)),
  ),

  redeemPasswordReset: signIn.redeemPasswordReset.handler(async ({ context, input }) =>
    answerOpened(context, await resetPassword(context, input)),
  ),

  requestEmailConfirmation: signIn.requestEmailConfirmation.handler(({ context }) =>
    done(requestEmailConfirmation(context)),
  ),

  redeemEmailConfirmation: signIn.redeemEmailConfirmation.handler(async ({ context, input }) => ({
    email: await redeemEmailConfirmation(context, input.token),
  })),

  ...oauthRoutes,
  ...passkeyRoutes,
};
