import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { PersonLine } from '../../people/person-line.tsx';
import { ProjectPublications } from '../../publications/project-publications.tsx';
import { RequestAccess } from '../../sharing/request-access.tsx';
import { licenseWords } from '../model.ts';
import { useCloneProject } from '../mutations.ts';
import classes from './project-about.module.css';
import { Showcase } from './showcase.tsx';

/** A project as people see it who may not read its files. */
export function ProjectAbout({ project }: { project: ProjectDetail }) {
  const clone = useCloneProject();
  return (
    <Stack gap="lg" className={classes.page}>
      <div>
        <Title order={2}>{project.name}</Title>
        <Text className={classes.description}>{project.description || 'No description yet.'}</Text>
        <Group gap={6} mt="xs">
          {project.tags.map((tag) => (
            <Badge key={tag.id} tt="none">
              {tag.name}
            </Badge>
          ))}
          {project.license !== 'none' && (
            <Badge variant="default" tt="none">
              {licenseWords[project.license]}
            </Badge>
          )}
        </Group>
      </div>
      <Showcase media={project.showcase_media} name={project.name} />
      {project.authors.length > 0 && (
        <section aria-labelledby="authors">
          <Title order={3} id="authors">
            Authors
          </Title>
          <ul className={classes.people}>
            {project.authors.map((person) => (
              <li key={person.id}>
                <PersonLine person={person} isLink />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="publications">
        <Title order={3} id="publications">
          Publications
        </Title>
        <ProjectPublications projectId={project.id} />
      </section>
      <section aria-label="Access">
        <Text c="dimmed" mb="xs">
          The owner does not show the files of this project.
        </Text>
        <Group gap="sm" align="flex-start">
          {project.permissions.includes('clone') && (
            <Button loading={clone.isPending} onClick={() => clone.mutate(project)}>
              Clone project
            </Button>
          )}
          <RequestAccess project={project} />
        </Group>
      </section>
    </Stack>
  );
}
