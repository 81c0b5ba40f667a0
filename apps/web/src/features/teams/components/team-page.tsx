import type { TeamDetail } from '@atoll/contract/teams/entity';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { LinkButton } from '../../../ui/links.tsx';
import page from '../../../ui/page.module.css';
import { Problem } from '../../../ui/problem.tsx';
import { SectionSkeleton } from '../../../ui/section-skeleton.tsx';
import tabs from '../../../ui/styles/tabs.module.css';
import { tabProps } from '../../../ui/tab-props.ts';
import type { TeamTab } from '../model.ts';
import { teamQuery } from '../queries.ts';
import { TeamHeader } from './team-header.tsx';
import { TeamProjects } from './team-projects.tsx';

const contents = {
  projects: TeamProjects,
  publications: lazyPart(() => import('./team-publications.tsx'), 'TeamPublications'),
  members: lazyPart(() => import('./team-members.tsx'), 'TeamMembers'),
  feed: lazyPart(() => import('./team-feed.tsx'), 'TeamFeed'),
  requests: lazyPart(() => import('./team-requests.tsx'), 'TeamRequests'),
  invites: lazyPart(() => import('./team-invites.tsx'), 'TeamInvites'),
  settings: lazyPart(() => import('./team-settings.tsx'), 'TeamSettings'),
};

const labels: Record<TeamTab, string> = {
  projects: 'Projects',
  publications: 'Publications',
  members: 'Members',
  feed: 'Activity',
  requests: 'Requests',
  invites: 'Invitations',
  settings: 'Settings',
};

/** Strangers see what everybody may; who answers for the team also sees who wants to come in. */
function offeredTabs(team: TeamDetail): TeamTab[] {
  const isIn = !['pending', 'not_member'].includes(team.membership_status);
  const canEdit = team.permissions.includes('edit');
  return [
    'projects',
    'publications',
    'members',
    ...(isIn || canEdit ? (['feed'] as const) : []),
    ...(canEdit ? (['requests', 'invites', 'settings'] as const) : []),
  ];
}

export function TeamPage({ teamId, tab, invite }: { teamId: string; tab: TeamTab; invite?: string }) {
  const { data: team, error } = useSuspenseQuery(teamQuery(teamId, invite));
  const offered = offeredTabs(team);
  const shown = offered.includes(tab) ? tab : 'projects';
  const Content = contents[shown];
  if (error instanceof ApiError && error.status === 404)
    return (
      <Problem title="Team not found" actions={<LinkButton to="/teams">Go to teams</LinkButton>}>
        “{team.name}” was deleted, or you are no longer in it.
      </Problem>
    );
  const counts: Partial<Record<TeamTab, number>> = {
    projects: team.projects_count,
    members: team.users_count,
    requests: team.pending_requests,
  };
  return (
    <div className={page.page} data-width="form">
      <TeamHeader team={team} invite={invite} />
      <nav aria-label="About this team" className={tabs.tabs}>
        {offered.map((each) => (
          <Link key={each} to="/teams/$teamId/$tab" params={{ teamId, tab: each }} {...tabProps(each === shown)}>
            {labels[each]}
            {counts[each] ? <span className={tabs.count}>{counts[each]?.toLocaleString('en')}</span> : null}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<SectionSkeleton />}>
        <Content team={team} />
      </Suspense>
    </div>
  );
}
