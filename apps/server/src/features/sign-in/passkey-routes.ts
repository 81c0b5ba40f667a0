import { done, endpoints } from '../../platform/http/implement.ts';
import { answerOpened } from '../sessions/answer.ts';
import { passkeySignInOptions, signInWithPasskey } from './service/passkey-sign-in.ts';
import { createPasskey, deletePasskey, listPasskeys, passkeyCreateOptions, passkeyView } from './service/passkeys.ts';

const { signIn } = endpoints;

export const passkeyRoutes = {
  passkeySignInOptions: signIn.passkeySignInOptions.handler(async ({ context }) => ({
    ...(await passkeySignInOptions(context)),
  })),

  passkeySignIn: signIn.passkeySignIn.handler(async ({ context, input }) =>
    answerOpened(context, await signInWithPasskey(context, input.credential)),
  ),

  passkeyCreateOptions: signIn.passkeyCreateOptions.handler(async ({ context }) => ({
    ...(await passkeyCreateOptions(context)),
  })),

  passkeyCreate: signIn.passkeyCreate.handler(async ({ context, input }) =>
    passkeyView(await createPasskey(context, input)),
  ),

  passkeyList: signIn.passkeyList.handler(async ({ context }) => ({
    entries: (await listPasskeys(context)).map(passkeyView),
  })),

  passkeyDelete: signIn.passkeyDelete.handler(({ context, input }) => done(deletePasskey(context, input.id))),
};
