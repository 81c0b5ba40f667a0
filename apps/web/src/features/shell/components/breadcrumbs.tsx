import { Link, useMatches } from '@tanstack/react-router';
import { LogoMark } from '../../../ui/theme/logo.tsx';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import { nameOf } from '../page-name.ts';
import classes from './breadcrumbs.module.css';

/** Where I am: the workspace, then every named page on the way here. */
export function Breadcrumbs() {
  const { name } = useTheme();
  const crumbs = useMatches().flatMap((match) => {
    const title = nameOf(match);
    return title ? [{ id: match.id, pathname: match.pathname, title }] : [];
  });
  return (
    <nav aria-label="Breadcrumbs">
      <ol className={classes.crumbs} data-deep={crumbs.length > 1 || undefined}>
        <li>
          <Link to="/" activeOptions={{ exact: true }} className={`${classes.crumb} ${classes.home}`} aria-label={name}>
            <span className={classes.mark}>
              <LogoMark size={20} />
            </span>
            <span className={classes.name}>{name}</span>
          </Link>
        </li>
        {crumbs.map(({ id, pathname, title }, index) => (
          <li key={id}>
            <Link
              to={pathname as '/'}
              // A page below another is not the other.
              activeOptions={{ exact: true, includeSearch: false }}
              className={classes.crumb}
              aria-current={index === crumbs.length - 1 ? 'page' : undefined}
            >
              {title}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
