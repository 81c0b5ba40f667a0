import type { Project } from '@atoll/contract/projects/entity';
import { Skeleton } from '@mantine/core';
import { useSession } from '../session/queries.ts';
import { ProjectCard } from './project-card.tsx';
import classes from './project-cards.module.css';

const shapes = Array.from({ length: 12 }, (_, index) => index);

export function ProjectCards({ projects }: { projects?: Project[] }) {
  const { id } = useSession();
  return (
    <ul className={classes.cards}>
      {projects
        ? projects.map((project) => <ProjectCard key={project.id} project={project} isMine={project.owner.id === id} />)
        : shapes.map((shape) => (
            <li key={shape} className={classes.card}>
              <Skeleton height={76} radius={0} />
              <div className={classes.body}>
                <Skeleton height={14} width="70%" mb={8} />
                <Skeleton height={12} width="45%" />
              </div>
            </li>
          ))}
    </ul>
  );
}
