import type { Project } from '@atoll/contract/projects/entity';
import { Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { When } from '../../../ui/when.tsx';
import { kindWords } from '../kinds.ts';
import { isBin, type SortBy, usualDirection } from '../model.ts';
import { ProjectMenu } from '../project-menu.tsx';
import { PublishedMark, VisibilityMark, visibilityWords } from '../visibility-mark.tsx';
import classes from './project-table.module.css';
import type { ListState } from './use-list-search.ts';

const shapes = Array.from({ length: 25 }, (_, index) => index);

export function ProjectTable({ projects, ...state }: ListState & { projects?: Project[] }) {
  const inBin = isBin(state.search);
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <thead>
          <tr>
            <SortHeader {...state} by="name" label="Name" />
            <th scope="col">Kind</th>
            <th scope="col">Owner</th>
            <th scope="col">Tags</th>
            <th scope="col">Visibility</th>
            <SortHeader {...state} by="views" label="Views" />
            {inBin ? <th scope="col">Deleted</th> : <SortHeader {...state} by="updated_at" label="Updated" />}
            <th scope="col" className={classes.menu}>
              <VisuallyHidden>Actions</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {projects
            ? projects.map((project) => <Row key={project.id} project={project} />)
            : shapes.map((shape) => (
                <tr key={shape}>
                  <td colSpan={8}>
                    <Skeleton height={12} width={`${90 - (shape % 4) * 12}%`} />
                  </td>
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ project }: { project: Project }) {
  const { icon: Icon, label } = kindWords[project.kind];
  return (
    <tr>
      <td className={classes.name}>
        <Icon size={15} stroke={1.6} aria-hidden />
        {project.deleted_at ? (
          project.name
        ) : (
          <Link to="/projects/$projectId" params={{ projectId: project.id }} title={project.name}>
            {project.name}
          </Link>
        )}
      </td>
      <td>{label}</td>
      <td>{project.owner.user_name}</td>
      <td>{project.tags.map(({ name }) => name).join(', ')}</td>
      <td>
        <span className={classes.visibility}>
          <VisibilityMark visibility={project.visibility} />
          <span aria-hidden>{visibilityWords[project.visibility].label}</span>
          {project.published_at && <PublishedMark />}
        </span>
      </td>
      <td className={classes.number}>{project.stats.view_count.toLocaleString('en')}</td>
      <td>
        <When time={project.deleted_at ?? project.updated_at} />
      </td>
      <td className={classes.menu}>
        <ProjectMenu project={project} />
      </td>
    </tr>
  );
}

function SortHeader({ search, change, by, label }: ListState & { by: SortBy; label: string }) {
  const isSorted = (search.sort_by ?? 'updated_at') === by;
  const direction = search.sort_direction ?? usualDirection(by);
  const opposite = direction === 'asc' ? 'desc' : 'asc';
  const Arrow = direction === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <th scope="col" aria-sort={isSorted ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}>
      <UnstyledButton
        className={classes.sort}
        onClick={() => change({ sort_by: by, sort_direction: isSorted ? opposite : undefined })}
      >
        {label}
        {isSorted && <Arrow size={13} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}
