import { z } from 'zod';
import { deliveryChange } from '../deliveries/entity.ts';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { id, line, list } from '../fields.ts';
import { publication } from '../publications/entity.ts';
import { externalPublication, printSettings } from './entity.ts';

const tag = 'Reports';

export const reportEndpoints = {
  list: endpoint('GET', '/v1/external_publications', {
    permission: 'publication.list',
    flag: 'publications',
    tag,
    summary: 'Reports: those of your projects, and public ones',
    description: 'Pages are counted from 0. Newest first.',
  })
    .input(
      z.strictObject({
        page: z.coerce.number().int().min(0).max(1_000_000).default(0),
        page_size: z.coerce.number().int().min(1).max(100).default(24),
        search: line(200).optional(),
        own: z.stringbool().or(z.boolean()).default(false).describe('Only those that you may change'),
      }),
    )
    .output(list(publication)),

  get: endpoint('GET', '/v1/external_publications/{id}', {
    permission: 'publication.publish',
    flag: 'publish',
    tag,
    summary: 'How a publication is printed',
    description: 'By the id of the publication; what was never set has its usual value.',
  })
    .input(z.strictObject({ id }))
    .output(externalPublication),

  update: endpoint('PATCH', '/v1/external_publications/{id}', {
    permission: 'publication.publish',
    flag: 'publish',
    tag,
    summary: 'Change how a publication is printed',
    description: 'What is left out stays as it is.',
  })
    .input(
      z.strictObject({
        id,
        enabled: z.boolean().optional(),
        delivery: deliveryChange.optional(),
        ...printSettings.partial().shape,
      }),
    )
    .output(externalPublication),

  progress: endpoint('GET', '/v1/external_publications/{id}/progress', {
    permission: 'publication.view',
    flag: 'publications',
    tag,
    summary: 'How much of a publication is drawn, while it is drawn for a download',
    description: 'Null when nothing of it is being drawn.',
  })
    .input(z.strictObject({ id }))
    .output(z.object({ drawing: z.object({ drawn: z.int(), expected: z.int() }).nullable() })),
};

export const reportRawEndpoints = {
  download: rawEndpoint('GET', '/v1/external_publications/{id}/download', {
    permission: 'publication.view',
    flag: 'publications',
    tag,
    summary: 'A publication as it is printed: `format` (pdf, png)',
  }),
};
