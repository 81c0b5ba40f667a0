import { Link, Outlet } from '@tanstack/react-router';
import { LogoMark } from '../../../ui/theme/logo.tsx';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import classes from './auth-frame.module.css';

/** One calm column for everything about getting in. */
export function AuthFrame() {
  const { name, hide_legal_links } = useTheme();
  return (
    <div className={classes.frame}>
      <header>
        <Link to="/" className={classes.logo} aria-label={`${name}, start`}>
          <LogoMark size={40} />
        </Link>
      </header>
      <main id="main" tabIndex={-1} className={classes.card}>
        <Outlet />
      </main>
      {!hide_legal_links && (
        <footer className={classes.legal}>
          <Link to="/terms-of-service">Terms</Link>
          <Link to="/privacy-policy">Privacy</Link>
        </footer>
      )}
    </div>
  );
}
