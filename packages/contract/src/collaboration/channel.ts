import { z } from 'zod';
import { done, id, line, time } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';
import { command, topic } from '../topic.ts';

export const lockHolder = z.object({
  user: personSummary,
  tag: z.string().describe('Which of their windows, named by the window itself'),
  since: time,
});
export type LockHolder = z.infer<typeof lockHolder>;

const lockState = z.object({ holder: lockHolder.nullable() });

export const lockTopic = topic('lock:{projectId}/{fileId}', {
  permission: 'project.view_source',
  summary: 'Who is editing a file',
  joined: lockState,
  commands: {
    acquire: command({
      permission: 'project.edit',
      summary: 'Start editing; refused with `locked` while another person edits, unless `takeover`',
      isWriting: true,
      input: z.strictObject({ tag: line(80).default(''), takeover: z.boolean().default(false) }),
      output: lockState,
    }),
    release: command({
      permission: 'project.edit',
      summary: 'Stop editing',
      isWriting: true,
      input: z.strictObject({}),
      output: lockState,
    }),
  },
  events: { lock_changed: lockState },
});

/** The presence of a person in a project. */
export const lobbyMeta = z.strictObject({
  file_id: id.nullable().default(null),
  cell_id: z.string().max(64).nullable().default(null).describe('In a notebook; the cursor is in this cell'),
  cursor: z
    .strictObject({
      line: z.int().min(1),
      column: z.int().min(0),
      anchor_line: z.int().min(1),
      anchor_column: z.int().min(0),
    })
    .nullable()
    .default(null),
  is_editing: z.boolean().default(false),
  board: z
    .strictObject({
      pointer: z.tuple([z.number(), z.number()]).nullable().describe('On the canvas'),
      view: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable().describe('What is seen: x, y, w, h'),
      selected: z.array(z.string().max(64)).max(200),
      moving: z
        .array(z.tuple([z.string().max(64), z.number(), z.number(), z.number(), z.number()]))
        .max(200)
        .describe('Boxes under their hands, before they are dropped: id, x, y, w, h'),
    })
    .nullable()
    .optional()
    .describe('On a canvas'),
});
export type LobbyMeta = z.infer<typeof lobbyMeta>;

export const collaboratorLobbyTopic = topic('collaborator_lobby:{id}', {
  permission: 'project.view',
  summary: 'Who is in a project, on which file and where in it',
  commands: {
    update_meta: command({
      permission: 'project.view',
      summary: 'Update your presence',
      input: lobbyMeta,
      output: done,
    }),
  },
  hasPresence: true,
});
