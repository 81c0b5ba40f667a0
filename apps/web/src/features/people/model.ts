import type { PublicUser } from '@atoll/contract/users/entity';

export const profileTabs = ['published', 'projects', 'followers', 'following', 'about', 'teams'] as const;
export type ProfileTab = (typeof profileTabs)[number];
export const parseProfileTab = (tab: string | undefined): ProfileTab =>
  profileTabs.find((each) => each === tab) ?? 'published';

export const tabWords: Record<ProfileTab, string> = {
  published: 'Published',
  projects: 'Projects',
  followers: 'Followers',
  following: 'Following',
  about: 'About',
  teams: 'Teams',
};

const socialNames = {
  website: 'Website',
  blog: 'Blog',
  twitter: 'Twitter',
  linkedin: 'LinkedIn',
  facebook: 'Facebook',
} as const;

/** Only web addresses become links, whatever is stored. */
export const socialLinks = ({ social_urls }: PublicUser): { name: string; url: string }[] =>
  (Object.keys(socialNames) as (keyof typeof socialNames)[]).flatMap((key) => {
    const url = social_urls[key];
    return url && /^https?:$/.test(URL.parse(url)?.protocol ?? '') ? [{ name: socialNames[key], url }] : [];
  });
