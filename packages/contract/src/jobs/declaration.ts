import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';
import { jobState } from './entity.ts';

export const jobsDeclaration = declare({
  personEvents: {
    job_changed: z
      .object({
        id,
        kind: z.string(),
        state: jobState,
        progress: z.number().nullable().describe('From 0 to 1, where it is known'),
        message: z.string().nullable(),
        reason: z.string().nullable().describe('Why it failed or was canceled'),
      })
      .describe('A job of yours went on or ended'),
  },
});
