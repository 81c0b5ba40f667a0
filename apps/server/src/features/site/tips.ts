import type { Tip } from '@atoll/contract';

/** What is good to know; each leads to where it can be tried. */
export const tips: Tip[] = [
  {
    id: 'commands',
    title: 'Keyboard first',
    text: 'Ctrl K (⌘ K on a Mac) finds projects, people and commands from anywhere.',
    path: null,
  },
  {
    id: 'drop',
    title: 'Bring your files',
    text: 'Drop a notebook, a zip or a folder onto the project list to create a project.',
    path: '/projects',
  },
  {
    id: 'share',
    title: 'Work together',
    text: 'Share a project with a person or a team and choose their role.',
    path: '/teams',
  },
  {
    id: 'mention',
    title: 'Mention people',
    text: 'Write @ and a user name in a comment to notify people with access.',
    path: null,
  },
  {
    id: 'secrets',
    title: 'Keep keys out of code',
    text: 'Store tokens as secrets: your code gets them as environment variables, and outputs are masked.',
    path: '/profile?section=secrets',
  },
];
