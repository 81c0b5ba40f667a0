import type { Project } from '@atoll/contract/projects/entity';
import { Button } from '@mantine/core';
import { LinkButton } from '../../../ui/links.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { KeptWithoutAccess } from '../../notebook/kept-without-access.tsx';

/** The project was there a moment ago. */
export function AccessLost({ project }: { project: Project }) {
  return (
    <>
      <Problem
        title="You no longer have access to this project"
        actions={
          <>
            <LinkButton to="/projects">Go to projects</LinkButton>
            <Button variant="default" onClick={() => location.reload()}>
              Try again
            </Button>
          </>
        }
      >
        “{project.name}” was deleted or is no longer shared with you. Ask {project.owner.user_name} if you still need
        it.
      </Problem>
      <KeptWithoutAccess projectId={project.id} />
    </>
  );
}
