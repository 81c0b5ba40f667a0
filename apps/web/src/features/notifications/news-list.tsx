import type { Notification } from '@atoll/contract/notifications/entity';
import { notificationPath, notificationWords, withoutMarks } from '@atoll/contract/notifications/words';
import { IconBell } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { When } from '../../ui/when.tsx';
import { Face } from '../people/person-line.tsx';
import classes from './components/news.module.css';
import { dayOf, linesOf, type NewsLine, severalOf } from './model.ts';

interface NewsListProps {
  news: Notification[];
  label: string;
  /** Whose own they are; what happened in a team is read by nobody in particular. */
  onRead?(ids: string[]): void;
  withDays?: boolean;
  isOnTeamPage?: boolean;
}

export function NewsList({ news, label, onRead, withDays, isOnTeamPage }: NewsListProps) {
  const now = new Date();
  const days = Map.groupBy(linesOf(news), ({ newest }) => (withDays ? dayOf(newest.created_at, now) : ''));
  return [...days].map(([day, lines]) => (
    <Fragment key={day}>
      {day && <h2 className={classes.day}>{day}</h2>}
      <ul className={classes.list} aria-label={day ? `${label}: ${day}` : label}>
        {lines.map((line) => (
          <NewsItem key={line.newest.id} line={line} onRead={onRead} isOnTeamPage={isOnTeamPage} />
        ))}
      </ul>
    </Fragment>
  ));
}

interface NewsItemProps extends Pick<NewsListProps, 'onRead' | 'isOnTeamPage'> {
  line: NewsLine;
}

function NewsItem({ line, onRead, isOnTeamPage }: NewsItemProps) {
  const { newest, all } = line;
  const [to, hash] = notificationPath(newest).split('#');
  const unread = onRead ? all.filter(({ seen_at }) => !seen_at).map(({ id }) => id) : [];
  return (
    <li data-unread={unread.length > 0 || undefined}>
      {newest.source_user ? <Face person={newest.source_user} /> : <IconBell size={24} stroke={1.4} aria-hidden />}
      <div className={classes.words}>
        <Link to={to as '/'} hash={hash} className={classes.link} onClick={() => onRead?.(unread)}>
          {notificationWords(newest, severalOf(line), isOnTeamPage)}
        </Link>
        {newest.metadata.excerpt && (newest.project || newest.entity?.path) && (
          <p className={classes.excerpt}>{withoutMarks(newest.metadata.excerpt)}</p>
        )}
        <div className={classes.time}>
          <When time={newest.created_at} />
        </div>
      </div>
      {unread.length > 0 && <span className={classes.dot} role="img" aria-label="Unread" />}
    </li>
  );
}
