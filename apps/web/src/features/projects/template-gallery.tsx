import { Loader, UnstyledButton } from '@mantine/core';
import { IconNotebook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useCreateProject } from './mutations.ts';
import { CreateProblem } from './new/create-problem.tsx';
import { TemplatePicture } from './new/template-picture.tsx';
import { templatesQuery } from './queries.ts';
import classes from './template-gallery.module.css';

/** One click creates a project, opens its notebook and runs it. */
export function TemplateGallery() {
  const { data } = useQuery(templatesQuery);
  const create = useCreateProject();
  const chosen = create.isPending ? (create.variables.template ?? 'blank') : null;
  const start = (input: Parameters<typeof create.mutate>[0]) => !create.isPending && create.mutate(input);
  return (
    <>
      <CreateProblem error={create.error} />
      <ul className={classes.cards}>
        <Card
          title="Blank notebook"
          text="Start with an empty cell."
          isPending={chosen === 'blank'}
          onClick={() => start({ kind: 'notebook', create_main_file: true, name: 'Untitled notebook' })}
        >
          <IconNotebook size={30} stroke={1.3} aria-hidden />
        </Card>
        {data?.entries.map(({ name, title, description }) => (
          <Card
            key={name}
            title={title}
            text={description}
            isPending={chosen === name}
            onClick={() => start({ template: name, name: title })}
          >
            <TemplatePicture name={name} />
          </Card>
        ))}
      </ul>
    </>
  );
}

interface CardProps {
  title: string;
  text: string;
  isPending: boolean;
  onClick(): void;
  children: ReactNode;
}

function Card({ title, text, isPending, onClick, children }: CardProps) {
  return (
    <li>
      <UnstyledButton className={classes.card} onClick={onClick} aria-busy={isPending || undefined}>
        <span className={classes.picture}>{isPending ? <Loader size={20} aria-hidden /> : children}</span>
        <span className={classes.words}>
          <strong>{title}</strong>
          <span>{text}</span>
        </span>
      </UnstyledButton>
    </li>
  );
}
