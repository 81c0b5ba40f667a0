import { Button, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { LinkButton } from '../../../ui/links.tsx';
import { Panel } from '../../../ui/page.tsx';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import { askNewProject } from '../../projects/new-project.ts';
import { useSession } from '../../session/queries.ts';
import { type Progress, type Step, steps } from '../model.ts';
import classes from './dashboard.module.css';

interface StepWords {
  title: string;
  text: string;
  /** What to say once it is done, where the invitation would sound odd. */
  done?: string;
}

const words: Record<Step['id'], StepWords> = {
  project: {
    title: 'Create a project',
    text: 'Start with a template, a blank notebook or your own files.',
    done: 'Your projects are listed on this page.',
  },
  run: {
    title: 'Run a notebook',
    text: 'Open a notebook and press Run all. It keeps running when you close the page.',
    done: 'Outputs are saved with the project.',
  },
  people: {
    title: 'Work with others',
    text: 'Create a team, or share a project.',
    done: 'Projects shared with a team are shared with all its members.',
  },
  account: { title: 'Create an account', text: 'It takes a minute, and your guest projects are kept.' },
  secure: {
    title: 'Secure your account',
    text: 'Set an e-mail address and a password, or add a passkey, so that you can sign in again.',
  },
  brand: {
    title: 'Brand the workspace',
    text: 'Set the name, colours and logo, with a live preview.',
  },
};

/** Only as long as something is left to do. */
export function StepList({ progress }: { progress: Progress }) {
  const session = useSession();
  const list = steps(session, useTheme(), progress);
  const done = list.filter((step) => step.isDone).length;
  if (done === list.length) return null;
  return (
    <Panel
      title="Get started"
      aside={
        <Text size="sm" c="dimmed">
          {done} of {list.length} done
        </Text>
      }
    >
      <ol className={classes.steps}>
        {list.map((step) => (
          <StepRow key={step.id} {...step} />
        ))}
      </ol>
    </Panel>
  );
}

function StepRow({ id, isDone }: Step) {
  const { title, text, done } = words[id];
  return (
    <li className={classes.step}>
      <span className={classes.mark} data-done={isDone || undefined}>
        {isDone ? (
          <IconCircleCheckFilled size={20} role="img" aria-label="Done:" />
        ) : (
          <IconCircle size={20} aria-hidden />
        )}
      </span>
      <div>
        <Title order={3}>{title}</Title>
        <Text size="sm" c="dimmed">
          {isDone ? (done ?? text) : text}
        </Text>
      </div>
      {!isDone && <StepAction id={id} />}
    </li>
  );
}

const small = { variant: 'default', size: 'xs' } as const;

function StepAction({ id }: { id: Step['id'] }) {
  switch (id) {
    case 'account':
      return (
        <LinkButton {...small} variant="filled" to="/sign-up">
          Create account
        </LinkButton>
      );
    case 'secure':
      return (
        <LinkButton {...small} variant="filled" to="/profile" search={{ section: 'security' }}>
          Secure the account
        </LinkButton>
      );
    case 'brand':
      return (
        <LinkButton {...small} to="/theme-preview">
          Open theme
        </LinkButton>
      );
    case 'project':
      return (
        <Button {...small} variant="filled" onClick={askNewProject}>
          New project
        </Button>
      );
    case 'run':
      return (
        <LinkButton {...small} to="/projects">
          Open a project
        </LinkButton>
      );
    case 'people':
      return (
        <LinkButton {...small} to="/teams">
          See teams
        </LinkButton>
      );
  }
}
