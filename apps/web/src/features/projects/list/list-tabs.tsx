import { Link } from '@tanstack/react-router';
import { bringIntoView } from '../../../ui/bring-into-view.ts';
import { useEnabledFeatures } from '../../session/enabled-features.ts';
import { isBin, type ListSearch } from '../model.ts';
import classes from './projects-page.module.css';

export const useProjectTabs = () => useEnabledFeatures().flatMap(({ projectTabs }) => projectTabs ?? []);

export function ListTabs({ search }: { search: ListSearch }) {
  const shown = search.tab ?? (isBin(search) ? 'bin' : (search.mode ?? 'my'));
  // How the list is drawn stays; what narrows it belonged to the other tab.
  const keep: ListSearch = { view: search.view, page_size: search.page_size };
  return (
    <nav aria-label="Which projects" className={classes.tabs}>
      {useProjectTabs().map((tab) => (
        <Link
          key={tab.id}
          ref={shown === tab.id ? bringIntoView : undefined}
          to="/projects"
          search={{ ...keep, ...(tab.component ? { tab: tab.id } : tab.search) }}
          className={classes.tab}
          data-active={shown === tab.id || undefined}
          aria-current={shown === tab.id ? 'page' : undefined}
        >
          {tab.icon && <tab.icon size={15} stroke={1.6} aria-hidden />}
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
