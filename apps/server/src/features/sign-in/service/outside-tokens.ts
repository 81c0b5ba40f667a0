import type { EndpointInput } from '@atoll/contract';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { signInByIdentityToken } from './identity-tokens.ts';
import type { SignedIn } from './password.ts';
import { signInByTelegram } from './telegram-sign-in.ts';

type TokenName = 'idm_token' | 'organitz_token' | 'telegram_init_data' | 'telegram_oauth_data';
interface Origin {
  userSource: string | null;
  referral: string | null;
}

const waysIn: Record<TokenName, (ctx: Context, token: string, origin: Origin) => Promise<SignedIn | null>> = {
  idm_token: (ctx, token, origin) => signInByIdentityToken(ctx, 'identity_manager', token, origin),
  organitz_token: (ctx, token, origin) => signInByIdentityToken(ctx, 'organization', token, origin),
  telegram_init_data: (ctx, token, { userSource }) => signInByTelegram(ctx, 'init_data', token, userSource),
  telegram_oauth_data: (ctx, token, { userSource }) => signInByTelegram(ctx, 'login_data', token, userSource),
};
const tokenNames = Object.keys(waysIn) as TokenName[];

/** Signs in by the token that came along; null when there is none, or when the caller is in by it already. */
export async function signInByToken(ctx: Context, tokens: EndpointInput<'session', 'me'>): Promise<SignedIn | null> {
  const given = tokenNames.filter((name) => tokens[name] !== undefined);
  const [name] = given;
  if (!name) return null;
  if (given.length > 1) {
    throw new AppError('unprocessable_entity', 'Send only one of these tokens.', {
      fields: Object.fromEntries(given.map((extra) => [extra, ['Cannot be combined with another token']])),
    });
  }
  const origin = { userSource: tokens.user_source ?? null, referral: tokens.referral_code ?? null };
  return waysIn[name](ctx, tokens[name] ?? '', origin);
}
