import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { empty, id } from '../fields.ts';
import { theme, themeUpdate } from './entity.ts';

const tag = 'Theme';
const pictureUpload = id.nullable().optional();

export const themeEndpoints = {
  get: endpoint('GET', '/v1/theme', { permission: 'theme.view', tag, summary: 'The platform theme' })
    .input(empty)
    .output(theme),

  update: endpoint('PATCH', '/v1/admin/theme', {
    permission: 'theme.edit',
    tag,
    summary: 'Update the theme',
    description: 'Only the given fields change. A picture is replaced by a finished upload, or removed with null.',
  })
    .input(
      z.strictObject({
        update: themeUpdate.default({}),
        upload_ids: z
          .strictObject({
            logo: pictureUpload,
            logo_with_name: pictureUpload,
            dark_logo: pictureUpload,
            dark_logo_with_name: pictureUpload,
            email_logo: pictureUpload,
            light_watermark: pictureUpload,
            dark_watermark: pictureUpload,
          })
          .default({}),
      }),
    )
    .output(theme),

  reset: endpoint('POST', '/v1/admin/theme/reset', {
    permission: 'theme.edit',
    tag,
    summary: 'Reset the theme to the default of the platform variant',
  })
    .input(empty)
    .output(theme),
};
