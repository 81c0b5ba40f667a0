import type { FollowedPerson, PersonSummary, PublicUser, Settings } from '@atoll/contract';
import type { Context } from '../../platform/context.ts';
import { assetUrl } from '../uploads/view.ts';
import type { Followed, Profile } from './follows.ts';
import type { UserRow } from './table.ts';

export type Person = Pick<UserRow, 'id' | 'userName' | 'firstName' | 'lastName' | 'avatarAssetId'>;

export interface Connection {
  provider: string;
  name: string | null;
  connected_at: string;
}

export function settingsView(user: UserRow, connections: Connection[]): Settings {
  return {
    user_name: user.userName,
    first_name: user.firstName,
    last_name: user.lastName,
    email: user.email,
    is_email_confirmed: user.emailConfirmedAt !== null,
    headline: user.headline,
    company_name: user.companyName,
    company_position: user.companyPosition,
    social_urls: user.socialUrls,
    avatar: assetUrl(user.avatarAssetId),
    avatar_icon: user.avatarIcon,
    is_discoverable: user.isDiscoverable,
    has_password: user.passwordHash !== null,
    connections,
  };
}

export const aboutPageView = (user: UserRow, isAuthor: boolean) => ({
  content_rich: user.aboutPage ?? null,
  content_rich_draft: isAuthor ? (user.aboutPageDraft ?? null) : null,
});

export const personView = (user: Person): PersonSummary => ({
  id: user.id,
  user_name: user.userName,
  first_name: user.firstName,
  last_name: user.lastName,
  avatar: assetUrl(user.avatarAssetId),
});

export function profileView(ctx: Context, { user, followers, following, isFollowed }: Profile): PublicUser {
  const isSelf = user.id === ctx.actor.userId;
  return {
    ...personView(user),
    headline: user.headline,
    avatar_icon: user.avatarIcon,
    company_name: user.companyName,
    company_position: user.companyPosition,
    social_urls: user.socialUrls,
    link: `${ctx.config.url}/users/${user.userName}`,
    is_followed_by_you: isFollowed,
    followers_count: followers,
    following_count: following,
    is_discoverable: user.isDiscoverable,
    referral_code: isSelf ? user.referralCode : null,
    signup_date: user.createdAt.toISOString(),
    permissions: isSelf ? ['edit'] : ctx.actor.kind === 'user' ? ['follow'] : [],
  };
}

export const followedView = ({ user, isFollowed }: Followed): FollowedPerson => ({
  ...personView(user),
  headline: user.headline,
  is_followed_by_you: isFollowed,
});
