import type { PersonSummary, Settings } from '@atoll/contract';
import { assetUrl } from '../uploads/view.ts';
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
