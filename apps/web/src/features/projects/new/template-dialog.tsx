import type { Template } from '@atoll/contract/projects/entity';
import { Button, Group, Modal, Skeleton, Text, TextInput, Title } from '@mantine/core';
import { IconArrowLeft, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadProblem } from '../../../ui/empty-state.tsx';
import { Markdown } from '../../../ui/markdown/markdown.tsx';
import { formatSize } from '../../files/model.ts';
import { kindWords } from '../kinds.ts';
import { groupTemplates } from '../model.ts';
import { useCreateProject } from '../mutations.ts';
import { templateQuery, templatesQuery } from '../queries.ts';
import gallery from '../template-gallery.module.css';
import { CreateProblem } from './create-problem.tsx';
import { TemplateCard } from './template-card.tsx';
import classes from './template-dialog.module.css';
import { TemplatePicture } from './template-picture.tsx';

interface TemplateDialogProps {
  /** The one that is shown first; null shows all of them. */
  first: string | null;
  onClose(): void;
}

/** All templates, with search and groups, and what is in each before a project is created from it. */
export function TemplateDialog({ first, onClose }: TemplateDialogProps) {
  const { data, error, refetch } = useQuery(templatesQuery);
  const [shown, setShown] = useState(first);
  const [search, setSearch] = useState('');
  const template = data?.entries.find(({ name }) => name === shown);
  return (
    <Modal opened onClose={onClose} title={template?.title ?? 'Templates'} size={920}>
      {error && !data ? (
        <LoadProblem error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton height={320} />
      ) : template ? (
        <Preview template={template} onBack={() => setShown(null)} onClose={onClose} />
      ) : (
        <All templates={data.entries} search={search} onSearch={setSearch} onShow={setShown} />
      )}
    </Modal>
  );
}

interface AllProps {
  templates: Template[];
  search: string;
  onSearch(search: string): void;
  onShow(name: string): void;
}

function All({ templates, search, onSearch, onShow }: AllProps) {
  const groups = groupTemplates(templates, search);
  return (
    <div className={classes.all}>
      <TextInput
        type="search"
        aria-label="Search templates"
        placeholder="Search templates"
        leftSection={<IconSearch size={15} />}
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
        data-autofocus
      />
      {groups.length === 0 && (
        <Text c="dimmed" mt="md">
          No templates match “{search}”.
        </Text>
      )}
      {groups.map(({ label, templates: entries }) => (
        <section key={label} aria-label={label}>
          <Title order={3} size="h4" mt="lg" mb="sm">
            {label}
          </Title>
          <ul className={gallery.cards}>
            {entries.map(({ name, title, description }) => (
              <TemplateCard key={name} title={title} text={description} onClick={() => onShow(name)}>
                <TemplatePicture name={name} />
              </TemplateCard>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Preview({ template, onBack, onClose }: { template: Template; onBack(): void; onClose(): void }) {
  const { name, title, description, kind } = template;
  const create = useCreateProject();
  const { data, error, refetch } = useQuery(templateQuery(name));
  return (
    <>
      <CreateProblem error={create.error} onLeave={onClose} />
      <div className={classes.about}>
        <div className={classes.picture}>
          <TemplatePicture name={name} />
        </div>
        <div>
          <Text>{description}</Text>
          <Text size="sm" c="dimmed" mt={4}>
            {[
              kindWords[kind].label,
              ...(data?.files ?? []).map(({ path, size }) => `${path}, ${formatSize(size)}`),
            ].join(' · ')}
          </Text>
          <Group gap="sm" mt="md">
            <Button
              loading={create.isPending}
              onClick={() => create.mutate({ template: name, name: title }, { onSuccess: onClose })}
            >
              Use this template
            </Button>
            <Button variant="subtle" color="gray" leftSection={<IconArrowLeft size={15} />} onClick={onBack}>
              All templates
            </Button>
          </Group>
        </div>
      </div>
      {error && !data ? (
        <LoadProblem error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton height={220} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard.
        <section className={classes.cells} aria-label="What is in it" tabIndex={0}>
          {data.cells.map(({ type, source }, index) =>
            type === 'markdown' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a template do not change.
              <Markdown key={index} text={source} />
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a template do not change.
              <pre key={index}>{source}</pre>
            ),
          )}
        </section>
      )}
    </>
  );
}
