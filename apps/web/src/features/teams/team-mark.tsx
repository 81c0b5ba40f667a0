import type { TeamSummary } from '@atoll/contract/teams/entity';
import classes from './teams.module.css';

/** The team's picture, else its emoji, else the beginning of its name. */
export function TeamMark({ team, size = 32 }: { team: TeamSummary; size?: number }) {
  return (
    <span className={classes.mark} style={{ width: size, height: size, fontSize: size * 0.5 }} aria-hidden>
      {team.thumbnail ? <img src={team.thumbnail} alt="" /> : (team.icon ?? team.name.charAt(0).toUpperCase())}
    </span>
  );
}
