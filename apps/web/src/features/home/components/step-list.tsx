import { Button, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { otherMode } from '../../../platform/mode.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { Panel } from '../../../ui/page.tsx';
import { useTheme } from '../../../ui/theme-context.tsx';
import { useChooseMode } from '../../account/preferences.ts';
import { useSession } from '../../session/queries.ts';
import { type Step, steps } from '../model.ts';
import classes from './dashboard.module.css';

interface StepWords {
  title: string;
  text: string;
  /** What to say once it is done, where the invitation would sound odd. */
  done?: string;
}

const words: Record<Step['id'], StepWords> = {
  account: {
    title: 'Make an account',
    text: 'It takes a minute, and what you do as a guest comes with you.',
    done: 'What you make here is kept for you.',
  },
  secure: { title: 'Give yourself a way back in', text: 'Set an e-mail address and a password, or add a passkey.' },
  profile: {
    title: 'Complete your profile',
    text: 'Your name, a picture and a line about you help others know who you are.',
  },
  look: { title: 'Choose a look', text: 'Light or dark. It follows you to every device you sign in on.' },
  brand: {
    title: 'Brand the workspace',
    text: 'Your name, colours and logo, with a live preview before anyone sees them.',
  },
  about: { title: 'See what this is', text: 'Who runs this workspace and what it is for.' },
};

export function StepList() {
  const session = useSession();
  const list = steps(session, useTheme());
  const done = list.filter((step) => step.isDone).length;
  const all = done === list.length;
  return (
    <Panel
      title={all ? 'You are all set' : 'Start here'}
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
  const { theme_names } = useTheme();
  const { mode, choose } = useChooseMode();
  if (id === 'account') {
    return (
      <LinkButton {...small} variant="filled" to="/sign-up">
        Sign up
      </LinkButton>
    );
  }
  if (id === 'secure') {
    return (
      <LinkButton {...small} variant="filled" to="/profile" search={{ section: 'security' }}>
        Secure the account
      </LinkButton>
    );
  }
  if (id === 'brand') {
    return (
      <LinkButton {...small} variant="filled" to="/theme-preview">
        Open the theme
      </LinkButton>
    );
  }
  if (id === 'look') {
    return (
      <Button {...small} onClick={() => choose(otherMode(mode))}>
        Try {theme_names[otherMode(mode)]}
      </Button>
    );
  }
  if (id === 'about') {
    return (
      <LinkButton {...small} to="/about">
        Read
      </LinkButton>
    );
  }
  return (
    <LinkButton {...small} to="/profile">
      Edit profile
    </LinkButton>
  );
}
