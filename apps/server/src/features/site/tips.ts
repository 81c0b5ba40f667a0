import type { Tip } from '@atoll/contract';

/** What is good to know; each leads to where it can be tried. */
export const tips: Tip[] = [
  {
    id: 'commands',
    title: 'Everything from the keyboard',
    text: 'Ctrl K (⌘ K on a Mac) finds projects, people and commands from anywhere.',
    path: null,
  },
  {
    id: 'drop',
    title: 'Bring your files',
    text: 'Drop a notebook, a zip or a whole folder onto the list of projects to begin with it.',
    path: '/projects',
  },
  {
    id: 'share',
    title: 'Work together',
    text: 'Share a project with a person or a team, and choose what they may do with it.',
    path: '/teams',
  },
  {
    id: 'mention',
    title: 'Call somebody',
    text: 'Write @ and a user name in a comment: whoever may see the project is told.',
    path: null,
  },
  {
    id: 'secrets',
    title: 'Keys stay out of code',
    text: 'Store tokens as secrets: your runs get them as variables, and what they print is masked.',
    path: '/profile?section=secrets',
  },
];
