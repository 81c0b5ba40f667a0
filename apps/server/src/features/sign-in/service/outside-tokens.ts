import type { Context } from '../../../platform/context.ts';
import type { SignedIn } from './password.ts';

export interface OutsideTokens {
  idm_token?: string;
  organitz_token?: string;
  telegram_init_data?: string;
  telegram_oauth_data?: string;
  user_source?: string;
  referral_code?: string;
}

export async function signInByToken(_ctx: Context, _tokens: OutsideTokens): Promise<SignedIn | null> {
  return null;
}
