import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { Page } from '../../../ui/page.tsx';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import { DropZone } from '../../projects/drop-zone.tsx';
import { recentProjectsQuery } from '../../projects/queries.ts';
import { quotaQuery } from '../../quota/queries.ts';
import { useSession } from '../../session/queries.ts';
import { greeting } from '../model.ts';
import { someTeamsQuery } from '../queries.ts';
import { ConfirmNotice } from './confirm-notice.tsx';
import classes from './dashboard.module.css';
import { NewPanel } from './new-panel.tsx';
import { NewsPanel } from './news-panel.tsx';
import { NowPanel } from './now-panel.tsx';
import { RecentProjects } from './recent-projects.tsx';
import { StartPanel } from './start-panel.tsx';
import { StepList } from './step-list.tsx';
import { TipPanel } from './tip-panel.tsx';

const MarketsPanel = lazyPart(() => import('../../trading/markets-panel.tsx'), 'MarketsPanel');

export function Dashboard() {
  const session = useSession();
  const { name, description, texts, platform } = useTheme();
  const hasMarkets = platform === 'crypto' && session.features?.trade?.enabled === true;
  const { data: projects } = useQuery(recentProjectsQuery);
  // Where nothing was made yet, what to start from comes first.
  const isNew = projects?.total === 0;
  const title = session.is_guest
    ? `Welcome to ${name}`
    : `${greeting(new Date().getHours())}, ${session.first_name || session.user_name}`;
  return (
    <DropZone>
      <Page
        title={title}
        description={session.is_guest ? description || texts.tagline : texts.tagline || undefined}
        actions={
          session.is_guest && (
            <>
              <LinkButton to="/sign-in" variant="default">
                Sign in
              </LinkButton>
              <LinkButton to="/sign-up">Create account</LinkButton>
            </>
          )
        }
      >
        <ConfirmNotice />
        {hasMarkets && (
          <Suspense>
            <MarketsPanel />
          </Suspense>
        )}
        {isNew && <StartPanel />}
        <div className={classes.grid}>
          <div>
            <RecentProjects />
            <Steps />
            <NewsPanel />
          </div>
          <div>
            <NowPanel />
            <TipPanel />
            <NewPanel />
          </div>
        </div>
        {projects && !isNew && <StartPanel />}
      </Page>
    </DropZone>
  );
}

/** Nothing is said before it is known what is done. */
function Steps() {
  const { data: projects } = useQuery(recentProjectsQuery);
  const { data: quota } = useQuery(quotaQuery);
  const { data: teams } = useQuery(someTeamsQuery);
  if (!projects || !quota || !teams) return null;
  return (
    <StepList
      progress={{
        hasProject: projects.total > 0,
        hasRun: quota.execution_used > 0 || quota.execution_reserved > 0,
        hasPeople: teams.total > 0,
      }}
    />
  );
}
