import { IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { isBin, type ListSearch, modes } from '../model.ts';
import type { ListState } from '../use-list-search.ts';
import classes from './projects-page.module.css';

export function ListTabs({ search }: ListState) {
  const shown = isBin(search) ? 'bin' : (search.mode ?? 'my');
  // How the list is drawn stays; what narrows it belonged to the other tab.
  const keep: ListSearch = { view: search.view, page_size: search.page_size };
  const tab = (name: string) => ({
    className: classes.tab,
    'data-active': shown === name || undefined,
    'aria-current': shown === name ? ('page' as const) : undefined,
  });
  return (
    <nav aria-label="Which projects" className={classes.tabs}>
      {(Object.keys(modes) as (keyof typeof modes)[]).map((mode) => (
        <Link key={mode} to="/projects" search={{ ...keep, mode: mode === 'my' ? undefined : mode }} {...tab(mode)}>
          {modes[mode]}
        </Link>
      ))}
      <Link to="/projects" search={{ ...keep, mode_filter: ['deleted'] }} {...tab('bin')}>
        <IconTrash size={15} stroke={1.6} aria-hidden />
        Bin
      </Link>
    </nav>
  );
}
