import { Link } from '@tanstack/react-router';
import classes from './footer.module.css';
import { useTheme } from './theme/theme-context.tsx';

/** The owner's own words and links; nothing at all where there are none. */
export function Footer() {
  const { texts, links, hide_legal_links, marketing_url } = useTheme();
  return (
    <footer className={classes.footer}>
      {texts.footer && <span>{texts.footer}</span>}
      <nav aria-label="Legal and links" className={classes.links}>
        {marketing_url && <a href={marketing_url}>Website</a>}
        {links.map(({ label, url }) => (
          <a key={label + url} href={url} rel="noopener" target="_blank">
            {label}
          </a>
        ))}
        {!hide_legal_links && (
          <>
            <Link to="/terms-of-service">Terms</Link>
            <Link to="/privacy-policy">Privacy</Link>
          </>
        )}
      </nav>
    </footer>
  );
}
