import { guestProjects, planProjects } from '@atoll/contract/plans';
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
  const { plan } = session.subscription;
  const room = session.is_guest ? guestProjects : planProjects[plan];
  return (
    <Alert color="warning" mb="md" role="alert" title="There is no room for another project">
      <Text size="sm" mb="sm">
        {session.is_guest
          ? 'As a guest you can have one project. With an account you have room for more, and you keep this one.'
          : `The ${plan} plan has room for ${room ?? 'no more'} projects. Delete one you no longer need, or ask for a larger plan.`}
      </Text>
      <Group gap="sm" onClick={onLeave}>
        {session.is_guest ? (
          <LinkButton size="xs" to="/sign-up" search={{ return_to: '/projects' }}>
            Make an account
          </LinkButton>
        ) : (
          <>
            <LinkButton size="xs" to="/projects" search={{ sort_direction: 'asc', view: 'table' }}>
              Show my oldest projects
            </LinkButton>
            <LinkButton size="xs" variant="default" to="/contact-us">
              Ask for a larger plan
            </LinkButton>
          </>
        )}
      </Group>
    </Alert>
  );
}
