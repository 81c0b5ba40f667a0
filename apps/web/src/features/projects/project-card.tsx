import type { Project } from '@atoll/contract/projects/entity';
import { Link } from '@tanstack/react-router';
import cards from '../../ui/styles/cards.module.css';
import { When } from '../../ui/when.tsx';
import { kindWords } from './kinds.ts';
import classes from './project-cards.module.css';
import { ProjectMenu } from './project-menu.tsx';
import { PublishedMark, VisibilityMark } from './visibility-mark.tsx';

export function ProjectCard({ project, isMine }: { project: Project; isMine: boolean }) {
  const { icon: Icon, label } = kindWords[project.kind];
  return (
    <li className={classes.card}>
      <div className={classes.picture}>
        {project.thumbnail ? (
          <img src={project.thumbnail} alt="" loading="lazy" />
        ) : (
          <Icon size={26} stroke={1.3} aria-hidden />
        )}
      </div>
      <div className={classes.body}>
        <h2 className={classes.name}>
          {project.deleted_at ? (
            project.name
          ) : (
            <Link to="/projects/$projectId" params={{ projectId: project.id }} className={cards.link}>
              {project.name}
            </Link>
          )}
        </h2>
        <p className={classes.line}>{project.description || project.tags.map(({ name }) => `#${name}`).join(' ')}</p>
        <p className={classes.facts}>
          <VisibilityMark visibility={project.visibility} />
          {project.published_at && <PublishedMark />}
          <span>{label}</span>
          <span aria-hidden>·</span>
          {!isMine && (
            <>
              <span className={classes.owner}>{project.owner.user_name}</span>
              <span aria-hidden>·</span>
            </>
          )}
          <When time={project.deleted_at ?? project.updated_at} />
        </p>
      </div>
      <div className={classes.menu}>
        <ProjectMenu project={project} />
      </div>
    </li>
  );
}
