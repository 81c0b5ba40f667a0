import { Button } from '@mantine/core';
import { IconNotebook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import { useTheme } from '../../ui/theme/theme-context.tsx';
import { featuredTemplates } from './model.ts';
import { useCreateProject } from './mutations.ts';
import { CreateProblem } from './new/create-problem.tsx';
import { TemplateCard } from './new/template-card.tsx';
import { TemplatePicture } from './new/template-picture.tsx';
import { templatesQuery } from './queries.ts';
import classes from './template-gallery.module.css';

const TemplateDialog = lazyPart(() => import('./new/template-dialog.tsx'), 'TemplateDialog');

/** A blank notebook, the templates to begin with, and the way to all of them. Each is shown before a project is created. */
export function TemplateGallery() {
  const { data } = useQuery(templatesQuery);
  const { platform } = useTheme();
  const create = useCreateProject();
  const [opened, setOpened] = useState<{ name: string | null } | null>(null);
  return (
    <>
      <CreateProblem error={create.error} />
      <ul className={classes.cards}>
        <TemplateCard
          title="Blank notebook"
          text="Start with an empty cell."
          isPending={create.isPending}
          onClick={() =>
            !create.isPending && create.mutate({ kind: 'notebook', create_main_file: true, name: 'Untitled notebook' })
          }
        >
          <IconNotebook size={30} stroke={1.3} aria-hidden />
        </TemplateCard>
        {featuredTemplates(data?.entries ?? [], platform).map(({ name, title, description }) => (
          <TemplateCard key={name} title={title} text={description} onClick={() => setOpened({ name })}>
            <TemplatePicture name={name} />
          </TemplateCard>
        ))}
      </ul>
      <Button variant="default" mt="md" onClick={() => setOpened({ name: null })}>
        {data ? `All ${data.entries.length} templates` : 'All templates'}
      </Button>
      <Suspense>{opened && <TemplateDialog first={opened.name} onClose={() => setOpened(null)} />}</Suspense>
    </>
  );
}
