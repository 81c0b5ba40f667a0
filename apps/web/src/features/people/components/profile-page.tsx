import type { PublicUser } from '@atoll/contract/users/entity';
import { initialsOf, personName } from '@atoll/contract/users/names';
import { Avatar, Badge, Title } from '@mantine/core';
import { IconBriefcase, IconLink } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { LinkButton } from '../../../ui/links.tsx';
import page from '../../../ui/page.module.css';
import { SectionSkeleton } from '../../../ui/section-skeleton.tsx';
import tabs from '../../../ui/styles/tabs.module.css';
import { tabProps } from '../../../ui/tab-props.ts';
import { When } from '../../../ui/when.tsx';
import { type ProfileTab, profileTabs, socialLinks, tabWords } from '../model.ts';
import { profileQuery } from '../queries.ts';
import { FollowButton } from './follow-button.tsx';
import classes from './profile.module.css';
import { PersonProjects } from './profile-projects.tsx';

const FollowList = lazyPart(() => import('./follow-list.tsx'), 'FollowList');
const PersonAbout = lazyPart(() => import('./profile-about.tsx'), 'PersonAbout');
const PersonPublications = lazyPart(() => import('./profile-publications.tsx'), 'PersonPublications');
const PersonTeams = lazyPart(() => import('./profile-teams.tsx'), 'PersonTeams');

export function PersonPage({ username, tab }: { username: string; tab: ProfileTab }) {
  const { data: user } = useSuspenseQuery(profileQuery(username));
  const counts: Partial<Record<ProfileTab, number>> = {
    followers: user.followers_count,
    following: user.following_count,
  };
  return (
    <div className={page.page} data-width="form">
      <Head user={user} />
      <nav aria-label="About this person" className={tabs.tabs}>
        {profileTabs.map((each) => (
          <Link key={each} to="/users/$username/$tab" params={{ username, tab: each }} {...tabProps(each === tab)}>
            {tabWords[each]}
            {counts[each] ? <span className={tabs.count}>{counts[each]?.toLocaleString('en')}</span> : null}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<SectionSkeleton />}>
        <Content user={user} tab={tab} />
      </Suspense>
    </div>
  );
}

function Content({ user, tab }: { user: PublicUser; tab: ProfileTab }) {
  switch (tab) {
    case 'published':
      return <PersonPublications user={user} />;
    case 'projects':
      return <PersonProjects user={user} />;
    case 'followers':
    case 'following':
      return <FollowList key={tab} user={user} type={tab} />;
    case 'about':
      return <PersonAbout user={user} />;
    case 'teams':
      return <PersonTeams user={user} />;
  }
}

function Head({ user }: { user: PublicUser }) {
  const work = [user.company_position, user.company_name].filter(Boolean).join(', ');
  return (
    <header className={classes.head}>
      <Avatar src={user.avatar} alt="" size={96} color="primary" variant="light" radius={999}>
        <span aria-hidden>{user.avatar_icon ?? initialsOf(personName(user))}</span>
      </Avatar>
      <div className={classes.words}>
        <Title order={1}>{personName(user)}</Title>
        <div className={classes.facts}>
          <span>@{user.user_name}</span>
          {!user.is_discoverable && <Badge color="gray">Only visible to you</Badge>}
        </div>
        {user.headline && <p className={classes.headline}>{user.headline}</p>}
        <div className={classes.facts}>
          {work && (
            <span className={classes.fact}>
              <IconBriefcase size={15} stroke={1.6} aria-hidden />
              {work}
            </span>
          )}
          {socialLinks(user).map(({ name, url }) => (
            <a key={name} href={url} rel="noopener noreferrer nofollow me" target="_blank" className={classes.fact}>
              <IconLink size={15} stroke={1.6} aria-hidden />
              {name}
            </a>
          ))}
          <span>
            Joined <When time={user.signup_date} />
          </span>
        </div>
      </div>
      <div className={classes.acts}>
        {user.permissions.includes('edit') && (
          <LinkButton to="/profile" variant="default">
            Edit profile
          </LinkButton>
        )}
        {user.permissions.includes('follow') && <FollowButton id={user.id} isFollowed={user.is_followed_by_you} />}
      </div>
    </header>
  );
}
