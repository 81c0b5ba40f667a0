import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { line, list } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';

export const userEndpoints = {
  list: endpoint('GET', '/v1/users', {
    permission: 'user.list',
    tag: 'Users',
    summary: 'Find people',
    description:
      'By part of their name, if they want to be found; anybody by their exact user name or their confirmed e-mail address.',
  })
    .input(
      z.strictObject({
        search: line(254).min(2, 'Type at least two letters'),
        page: z.coerce.number().int().min(1).max(1_000).default(1),
        page_size: z.coerce.number().int().min(1).max(20).default(10),
      }),
    )
    .output(list(personSummary)),
};
