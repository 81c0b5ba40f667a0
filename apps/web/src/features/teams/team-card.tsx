import { withoutMarks } from '@atoll/contract/notifications/words';
import type { Team } from '@atoll/contract/teams/entity';
import { Badge } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import cards from '../../ui/styles/cards.module.css';
import { Faces } from '../people/person-line.tsx';
import { counted, discoveryWords, statusWords } from './model.ts';
import { TeamMark } from './team-mark.tsx';
import classes from './teams.module.css';

export function TeamCard({ team }: { team: Team }) {
  const { icon: Icon, label, text } = discoveryWords[team.discovery];
  const status = statusWords[team.membership_status];
  return (
    <li className={cards.written}>
      <div className={classes.top}>
        <TeamMark team={team} size={36} />
        <h2 className={classes.title}>
          <Link to="/teams/$teamId" params={{ teamId: team.id }} className={cards.link}>
            {team.name}
          </Link>
        </h2>
        {status && <Badge color="gray">{status}</Badge>}
      </div>
      <p className={classes.text}>{withoutMarks(team.description)}</p>
      <div className={classes.facts}>
        <Faces people={team.last_members} />
        <span>{counted(team.users_count, 'member')}</span>
        <span aria-hidden>·</span>
        <span>{counted(team.projects_count, 'project')}</span>
        <span className={classes.spring} />
        <span title={text} className={classes.facts}>
          <Icon size={14} stroke={1.6} aria-hidden />
          {label}
        </span>
      </div>
    </li>
  );
}
