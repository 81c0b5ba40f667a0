import { Page } from '../../../ui/page.tsx';
import { useTheme } from '../../../ui/theme-context.tsx';
import { useSession } from '../../session/queries.ts';
import { greeting } from '../model.ts';
import { AccountCard } from './account-card.tsx';
import { ConfirmNotice } from './confirm-notice.tsx';
import classes from './dashboard.module.css';
import { LookCard } from './look-card.tsx';
import { RecentProjects } from './recent-projects.tsx';
import { StepList } from './step-list.tsx';
import { WaysPanel } from './ways-panel.tsx';

export function Dashboard() {
  const session = useSession();
  const { name, texts } = useTheme();
  const title = session.is_guest
    ? `Welcome to ${name}`
    : `${greeting(new Date().getHours())}, ${session.first_name || session.user_name}`;
  return (
    <Page title={title} description={texts.tagline || undefined}>
      <ConfirmNotice />
      <div className={classes.grid}>
        <div>
          <RecentProjects />
          <StepList />
          <WaysPanel />
        </div>
        <div>
          <LookCard />
          <AccountCard />
        </div>
      </div>
    </Page>
  );
}
