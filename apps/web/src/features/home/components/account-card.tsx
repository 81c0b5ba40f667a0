import { LinkButton } from '../../../ui/links.tsx';
import { Panel } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import { useSession } from '../../session/queries.ts';
import classes from './dashboard.module.css';

export function AccountCard() {
  const session = useSession();
  if (session.is_guest) {
    return (
      <Panel title="You are a guest" description="You can look around. To keep what you make, make an account.">
        <LinkButton to="/sign-in" size="xs" variant="default">
          I have an account
        </LinkButton>
      </Panel>
    );
  }
  const tiers = session.compute_features.map((tier) => tier.toUpperCase()).join(', ');
  return (
    <Panel title="Your account">
      <dl className={classes.facts}>
        <dt>User name</dt>
        <dd>{session.user_name}</dd>
        <dt>E-mail</dt>
        <dd>{session.email ?? 'None'}</dd>
        <dt>Role</dt>
        <dd>{session.is_admin ? 'Administrator' : 'Member'}</dd>
        <dt>Plan</dt>
        <dd>{session.subscription.plan}</dd>
        {tiers && (
          <>
            <dt>Compute</dt>
            <dd>{tiers}</dd>
          </>
        )}
        <dt>Joined</dt>
        <dd>
          <When time={session.signup_date} />
        </dd>
      </dl>
    </Panel>
  );
}
