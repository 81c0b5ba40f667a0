import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { Page, Panel } from '../../../ui/page.tsx';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import { recentProjectsQuery } from '../../projects/queries.ts';
import { TemplateGallery } from '../../projects/template-gallery.tsx';
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
import { StepList } from './step-list.tsx';
import { TipPanel } from './tip-panel.tsx';

const MarketsPanel = lazyPart(() => import('../../trading/markets-panel.tsx'), 'MarketsPanel');

export function Dashboard() {
  const session = useSession();
  const { name, texts, platform } = useTheme();
  const hasMarkets = platform === 'crypto' && session.features?.trade?.enabled === true;
  const { data: projects } = useQuery(recentProjectsQuery);
  // Where nothing was made yet, what to start from comes first.
  const isNew = projects?.total === 0;
  const title = session.is_guest
    ? `Welcome to ${name}`
    : `${greeting(new Date().getHours())}, ${session.first_name || session.user_name}`;
  return (
    <Page title={title} description={texts.tagline || undefined}>
      <ConfirmNotice />
      {hasMarkets && (
        <Suspense>
          <MarketsPanel />
        </Suspense>
      )}
      {isNew && <Templates />}
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
      {projects && !isNew && <Templates />}
    </Page>
  );
}

function Templates() {
  const isOn = useSession().features?.projects?.enabled === true;
  if (!isOn) return null;
  return (
    <Panel title="Start from a template">
      <TemplateGallery />
    </Panel>
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
