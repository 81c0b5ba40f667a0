import { Alert, Group, Text } from '@mantine/core';
import { hasReason, messageOf } from '../../../platform/api-error.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { useSession } from '../../session/queries.ts';

/** Why there is no new project, and what to do about it. */
export function CreateProblem({ error, onLeave }: { error: unknown; onLeave?: () => void }) {
  const session = useSession();
  if (!error) return null;
  if (!hasReason(error, 'usage_limit_reached')) {
    return (
      <Alert color="danger" mb="md" role="alert">
        {messageOf(error)}
      </Alert>
    );
  }
  const { plan, projects } = session.subscription;
  return (
    <Alert color="warning" mb="md" role="alert" title="Project limit reached">
      <Text size="sm" mb="sm">
        {session.is_guest
          ? 'As a guest you can have one project. Create an account to have more; you keep this one.'
          : `The ${plan} plan includes ${projects ?? 'no more'} projects. Delete a project or upgrade your plan.`}
      </Text>
      <Group gap="sm" onClick={onLeave}>
        {session.is_guest ? (
          <LinkButton size="xs" to="/sign-up" search={{ return_to: '/projects' }}>
            Create account
          </LinkButton>
        ) : (
          <>
            <LinkButton size="xs" to="/projects" search={{ sort_direction: 'asc', view: 'table' }}>
              Show my oldest projects
            </LinkButton>
            <LinkButton size="xs" variant="default" to="/pricing">
              See plans
            </LinkButton>
          </>
        )}
      </Group>
    </Alert>
  );
}
