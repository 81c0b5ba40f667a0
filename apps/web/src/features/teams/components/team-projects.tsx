import type { TeamDetail } from '@atoll/contract/teams/entity';
import { Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { LinkButton } from '../../../ui/links.tsx';
import { ProjectCards } from '../../projects/project-cards.tsx';
import { teamProjectsQuery } from '../queries.ts';

export function TeamProjects({ team }: { team: TeamDetail }) {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(teamProjectsQuery(team.id));
  const projects = data?.pages.flatMap((page) => page.entries);
  if (error) return <Text c="dimmed">{messageOf(error)}</Text>;
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
      {hasNextPage && (
        <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}
