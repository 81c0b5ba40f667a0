import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import type { Visibility } from '@atoll/contract/projects/access';
import type { Project } from '@atoll/contract/projects/entity';
import { Button, Modal, NativeSelect, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { atMost, required } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';
import { useSession } from '../../session/queries.ts';
import { configQuery } from '../../sign-in/queries.ts';
import { licenseWords } from '../model.ts';
import { useUpdateProject } from '../mutations.ts';
import { tagsQuery } from '../queries.ts';
import { visibilityWords } from '../visibility-mark.tsx';
import { ShowcaseField } from './showcase-field.tsx';
import { ThumbnailField } from './thumbnail-field.tsx';

const options = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));
const visibilities = options(
  Object.fromEntries(Object.entries(visibilityWords).map(([key, { label, text }]) => [key, `${label}: ${text}`])),
);

interface ProjectSettingsProps {
  project: Project;
  onClose(): void;
  onTransfer(): void;
}

export function ProjectSettings({ project, onClose, onTransfer }: ProjectSettingsProps) {
  const update = useUpdateProject();
  const queryClient = useQueryClient();
  const known = useQuery(tagsQuery).data?.entries.map(({ name }) => name) ?? [];
  const before = project.tags.map(({ name }) => name);
  const [tags, setTags] = useState(before);
  const [hidesSource, setHidesSource] = useState(project.hides_source);
  const isOwner = useSession().id === project.owner.id;
  const isAuthorNow = project.authors.some(({ id }) => id === project.owner.id);
  const [isAuthor, setAuthor] = useState(isAuthorNow);
  const [usesNetwork, setUsesNetwork] = useState(project.uses_network);
  const hasNetwork = useQuery(configQuery).data?.kernels.network ?? false;
  const { id, name, description, visibility, license } = project;
  const form = useForm({
    initial: { name, description, visibility: visibility as string, license: license as string },
    checks: { name: required('A name'), description: atMost(4_000) },
    submit: async (values) => {
      if (tags.join('\n') !== before.join('\n')) {
        await client.projects.setTags({ id, names: tags });
        void queryClient.invalidateQueries({ queryKey: tagsQuery.queryKey });
      }
      // Seeing who may see it is for those who may share it.
      const shared = values.visibility === visibility ? {} : { visibility: values.visibility as Visibility };
      const license = values.license as Project['license'];
      await update.mutateAsync({
        id,
        name: values.name.trim(),
        description: values.description,
        license,
        ...shared,
        ...(hidesSource === project.hides_source ? {} : { hides_source: hidesSource }),
        ...(isAuthor === isAuthorNow ? {} : { is_owner_author: isAuthor }),
        ...(usesNetwork === project.uses_network ? {} : { uses_network: usesNetwork }),
      });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Project settings" size="lg">
      <Form form={form}>
        <TextInput label="Name" maxLength={120} data-autofocus {...form.text('name')} />
        <Textarea label="Description" autosize minRows={2} maxRows={8} {...form.text('description')} />
        <NativeSelect
          label="Visibility"
          data={visibilities}
          disabled={!project.permissions.includes('share')}
          {...form.text('visibility')}
        />
        {form.values.visibility === 'public' && (
          <Switch
            label="Hide the files"
            description="Visitors see the project's page and what it publishes, not its files"
            disabled={!project.permissions.includes('share')}
            checked={hidesSource}
            onChange={(event) => setHidesSource(event.currentTarget.checked)}
          />
        )}
        <TagsInput
          label="Tags"
          placeholder={tags.length ? undefined : 'Type a tag and press Enter'}
          maxTags={20}
          data={known}
          value={tags}
          onChange={setTags}
        />
        {isOwner && (
          <Switch
            label="Name me as an author"
            description="On the project's page, beside the authors among its collaborators"
            checked={isAuthor}
            onChange={(event) => setAuthor(event.currentTarget.checked)}
          />
        )}
        <NativeSelect label="License" data={options(licenseWords)} {...form.text('license')} />
        {hasNetwork && (
          <Switch
            label="Allow network access for code"
            description="For people whose plan includes it; takes effect when their kernel restarts"
            checked={usesNetwork}
            onChange={(event) => setUsesNetwork(event.currentTarget.checked)}
          />
        )}
        <ThumbnailField project={project} />
        <ShowcaseField project={project} />
        <FormActions
          form={form}
          onClose={onClose}
          before={
            project.permissions.includes('transfer') && (
              <Button variant="subtle" color="gray" mr="auto" onClick={onTransfer}>
                Transfer ownership…
              </Button>
            )
          }
        >
          Save
        </FormActions>
      </Form>
    </Modal>
  );
}
