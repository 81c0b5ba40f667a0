import type { Project } from '@atoll/contract/projects/entity';
import { personName } from '@atoll/contract/users/names';
import { Badge, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { Markdown } from '../../../ui/markdown/markdown.tsx';
import { When } from '../../../ui/when.tsx';
import { ProjectPublications } from '../../publications/project-publications.tsx';
import { licenseWords } from '../model.ts';
import { Showcase } from './showcase.tsx';

/** A project's description, pictures and publications. */
export function AboutProject({ project, onClose }: { project: Project; onClose: () => void }) {
  const { name, owner, description, tags, license, showcase_media } = project;
  return (
    <Modal opened onClose={onClose} title={`About ${name}`} size="lg">
      <Stack>
        <Showcase media={showcase_media} name={name} />
        {description ? <Markdown text={description} /> : <Text c="dimmed">No description.</Text>}
        {tags.length > 0 && (
          <Group gap="xs">
            {tags.map((tag) => (
              <Badge key={tag.id} color="gray">
                {tag.name}
              </Badge>
            ))}
          </Group>
        )}
        <Text size="sm" c="dimmed">
          By {personName(owner)}, updated <When time={project.updated_at} />.{' '}
          {license === 'none' ? 'All rights reserved.' : `License: ${licenseWords[license]}.`}
        </Text>
        <section aria-labelledby="about-publications">
          <Title order={3} id="about-publications" mb="xs">
            Publications
          </Title>
          <ProjectPublications projectId={project.id} />
        </section>
      </Stack>
    </Modal>
  );
}
