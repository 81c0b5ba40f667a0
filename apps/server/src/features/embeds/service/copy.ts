import { baseName } from '@atoll/contract';
import type { Context } from '../../../platform/context.ts';
import { denied, notFound } from '../../../platform/errors.ts';
import { openReaderCopy } from '../../publications/service/copies.ts';
import { findEmbed } from './embeds.ts';

/** What a reader of an embed runs, as with a publication: the file as it was last saved, in a project of their own. */
export const openEmbedCopy = (ctx: Context, id: string): Promise<{ project_id: string; file_id: string }> =>
  ctx.write(async (write) => {
    const found = await findEmbed(ctx, { embedId: id }, write.tx);
    if (!found) throw notFound('This embed');
    const { embed, file, project } = found;
    if (!embed.isExecutionEnabled) throw denied('no_permissions', 'The author does not let readers run this notebook.');
    ctx.authorize('embed.execute', found);
    const { isNew: _, ...copy } = await openReaderCopy(ctx, write, {
      id,
      version: file.blob,
      name: baseName(file.path),
      project,
      fileId: file.id,
      contents: [{ path: baseName(file.path), content: { blob: file.blob, size: file.size } }],
      hasProjectFiles: embed.copiesProjectFiles,
    });
    return copy;
  });
