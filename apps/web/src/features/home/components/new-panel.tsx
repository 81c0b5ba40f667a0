import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Panel } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import { kindWords } from '../../projects/kinds.ts';
import { useSession } from '../../session/queries.ts';
import { newProjectsQuery } from '../queries.ts';
import classes from './recent-projects.module.css';

/** What others have shown to everybody lately; nothing is said where there is nothing. */
export function NewPanel() {
  const session = useSession();
  const { data } = useQuery(newProjectsQuery);
  const others = data?.entries.filter(({ owner }) => owner.id !== session.id) ?? [];
  if (others.length === 0) return null;
  return (
    <Panel title="New public projects">
      <ul className={classes.list}>
        {others.map(({ id, name, kind, owner, created_at }) => {
          const Icon = kindWords[kind].icon;
          return (
            <li key={id}>
              <Link to="/projects/$projectId" params={{ projectId: id }} className={classes.project}>
                <Icon size={17} stroke={1.6} aria-hidden />
                <span className={classes.name}>{name}</span>
                <span className={classes.time}>
                  {owner.user_name} · <When time={created_at} />
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
