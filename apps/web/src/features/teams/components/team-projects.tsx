import type { TeamDetail } from '@atoll/contract/teams/entity';
import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState, LoadProblem } from '../../../ui/empty-state.tsx';
import { LinkButton } from '../../../ui/links.tsx';
import { MoreButton } from '../../../ui/lists/more-button.tsx';
import { ProjectCards } from '../../projects/project-cards.tsx';
import { teamProjectsQuery } from '../queries.ts';

export function TeamProjects({ team }: { team: TeamDetail }) {
  const list = useInfiniteQuery(teamProjectsQuery(team.id));
  const projects = list.data?.pages.flatMap((page) => page.entries);
  if (list.error) return <LoadProblem error={list.error} onRetry={list.refetch} />;
  if (projects?.length === 0)
    return (
      <EmptyState isLarge>
        <Text c="dimmed" maw={440}>
          {team.permissions.includes('share_to')
            ? 'No shared projects. Open a project, press Share and add this team.'
            : team.projects_count > 0
              ? 'Only members can see the team’s projects.'
              : 'No shared projects yet.'}
        </Text>
        {team.permissions.includes('share_to') && (
          <LinkButton to="/projects" variant="default">
            Go to projects
          </LinkButton>
        )}
      </EmptyState>
    );
  return (
    <>
      <ProjectCards projects={projects} />
      <MoreButton list={list} mt="md" />
    </>
  );
}
