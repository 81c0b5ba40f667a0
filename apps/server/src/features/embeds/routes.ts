import { done, endpoints } from '../../platform/http/implement.ts';
import { openEmbedCopy } from './service/copy.ts';
import { deleteEmbed, embedById, embedOf, updateEmbed } from './service/embeds.ts';
import { oembed } from './service/oembed.ts';

const { embeds } = endpoints;

export const embedRoutes = {
  get: embeds.get.handler(async ({ context, input }) => ({ embed: await embedOf(context, input.id, input.fileId) })),
  update: embeds.update.handler(({ context, input: { id, fileId, ...update } }) =>
    updateEmbed(context, id, fileId, update),
  ),
  delete: embeds.delete.handler(({ context, input }) => done(deleteEmbed(context, input.id, input.fileId))),
  byId: embeds.byId.handler(({ context, input }) => embedById(context, input.id)),
  openCopy: embeds.openCopy.handler(({ context, input }) => openEmbedCopy(context, input.id)),
  oembed: embeds.oembed.handler(({ context, input }) => oembed(context, input)),
};
