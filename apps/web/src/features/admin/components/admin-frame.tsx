import { Link, Outlet, useMatchRoute } from '@tanstack/react-router';
import { bringIntoView } from '../../../ui/bring-into-view.ts';
import { NoPermission } from '../../../ui/page-problems.tsx';
import { useSession } from '../../session/queries.ts';
import classes from './admin-frame.module.css';

const pages = [
  { to: '/admin', label: 'Overview' },
  { to: '/admin/users', label: 'Users' },
  { to: '/admin/roles', label: 'Roles' },
  { to: '/admin/features', label: 'Features' },
  { to: '/admin/plans', label: 'Plans' },
  { to: '/admin/units', label: 'Units' },
  { to: '/admin/models', label: 'Models' },
  { to: '/admin/referrals', label: 'Referrals' },
  { to: '/admin/subscriptions', label: 'Subscriptions' },
  { to: '/admin/kernels', label: 'Kernels' },
  { to: '/admin/usage', label: 'Usage' },
  { to: '/admin/jobs', label: 'Jobs' },
  { to: '/admin/tracking', label: 'Tracking' },
  { to: '/admin/action-log', label: 'Action log' },
  { to: '/admin/trading-bots', label: 'Trading bots' },
  { to: '/theme-preview', label: 'Theme' },
] as const;

/** The admin area, with a navigation of its own. */
export function AdminFrame() {
  const { is_admin } = useSession();
  const match = useMatchRoute();
  if (!is_admin) return <NoPermission what="Only admins can open the admin area." />;
  return (
    <div className={classes.frame}>
      <nav className={classes.navigation} aria-label="Admin">
        {pages.map(({ to, label }) => (
          <Link
            key={to}
            ref={match({ to, fuzzy: to !== '/admin' }) ? bringIntoView : undefined}
            to={to}
            activeOptions={{ exact: to === '/admin', includeSearch: false }}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div>
        <Outlet />
      </div>
    </div>
  );
}
