import { endpoints } from '../../platform/http/implement.ts';
import { answerOpened } from '../sessions/answer.ts';
import { beginOauth, finishOauth } from './service/oauth.ts';

const { signIn } = endpoints;

export const oauthRoutes = {
  oauthState: signIn.oauthState.handler(({ context, input }) => beginOauth(context, input)),

  oauthCallback: signIn.oauthCallback.handler(async ({ context, input }) => {
    const { returnTo, ...signedIn } = await finishOauth(context, input);
    return { session: await answerOpened(context, signedIn), return_to: returnTo };
  }),
};
